import type { Operation } from 'effection';
import type { SessionManager } from '../runtime/manager/manager.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { ChangeNotices } from './catalog/change-notice.ts';
import type { Surface } from './catalog/surface.ts';
import type { Watchers } from './catalog/watchers.ts';

/** What a server says about itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly websiteUrl?: string;
}

/** What both eras of a server share. */
export interface ServerParts {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  readonly manager: SessionManager;
  readonly catalog: Catalog;
  readonly notices: ChangeNotices;
  readonly watchers: Watchers;
  readonly pageSize: number;
  /** How long a client has to answer, milliseconds. */
  readonly askTimeout: number;
  /** Between two signs of life while a client is asked, milliseconds. */
  readonly heartbeat: number;
  readonly surface: Surface;
  /** Told of what went wrong beside a request. */
  report(message: string, cause?: unknown): void;
  /** Runs an operation as part of the server. */
  run<T>(op: () => Operation<T>): Promise<T>;
}

/** The capabilities that a server declares, in either era's terms. */
export function declaredCapabilities(
  host: ServerParts,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { catalog } = host;
  const told = (name: 'tools' | 'prompts' | 'resources') =>
    catalog.has(name).changes ? { listChanged: true } : {};
  const completes =
    catalog.prompts.items.some(({ def }) => Object.keys(def.completers).length > 0) ||
    catalog.templates.items.some(({ def }) => Object.keys(def.completers).length > 0) ||
    catalog.has('prompts').changes ||
    catalog.has('resources').changes;
  return {
    tools: told('tools'),
    ...(catalog.has('prompts').any ? { prompts: told('prompts') } : {}),
    ...(catalog.has('resources').any ? { resources: { subscribe: true, ...told('resources') } } : {}),
    ...(completes ? { completions: {} } : {}),
    logging: {},
  };
}
