import type { Operation } from 'effection';
import type { Icon } from '../core/served/resource.ts';
import type { SessionManager } from '../runtime/manager/manager.ts';
import type { OwnPages } from './apps/own-pages.ts';
import type { ServedLists } from './catalog/served-lists.ts';
import type { EarlyResults } from './request/early-results.ts';
import type { SentPages } from './sent-pages.ts';
import type { Tasks } from './tasks/port.ts';

/** What a server says about itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly description?: string;
  readonly icons?: Icon[];
}

/** What both eras of a server share. */
export interface ServerParts extends ServedLists {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  /** Protocol extensions that it declares, with what each says. */
  readonly extensions: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly manager: SessionManager;
  /** Begins a call. */
  readonly create: SessionManager['create'];
  /** Pages that clients were sent to. */
  readonly sentPages: SentPages;
  /** Whether calls are spans and are counted where somebody listens. */
  readonly spans: boolean;
  readonly pageSize: number;
  /** How long a client has to answer, milliseconds. */
  readonly askTimeout: number;
  /** Milliseconds of quiet before a client that wants progress gets a sign of life. */
  readonly heartbeat: number;
  /** Pages of calls, for clients that show them. */
  readonly appPages: OwnPages | undefined;
  /** Calls that are answered before they are over, for clients that are asked on a page of this process. */
  readonly early: EarlyResults | undefined;
  /** Calls that go on without a request; none where calls are in their clients' hands. */
  readonly tasks: Tasks | undefined;
  /** The same with the lists of a principal, where those are its own. */
  for(principal: string): ServerParts;
  /** Told of what went wrong beside a request; `about` as for `onProblem`. */
  report(message: string, cause?: unknown, about?: 'state' | 'request'): void;
  /** Runs an operation as part of the server. */
  run<T>(op: () => Operation<T>): Promise<T>;
}
