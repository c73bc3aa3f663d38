import { ensure, type Operation, resource } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import { createMcpRegistry, type Registry } from '../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../core/served/resource.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { ForeignLog } from './calls/in-flight.ts';
import type { ServerEntry } from './config/server-entry.ts';
import { type ConnectionOptions, type ServerConnection, useMcpConnection } from './connection.ts';
import { addressesOf, THEIR_OWN } from './offers/addresses.ts';
import { foreignPrompt } from './offers/foreign-prompt.ts';
import { foreignResource, foreignTemplate } from './offers/foreign-resource.ts';
import { foreignTool } from './offers/foreign-tool.ts';
import type { ServerOffers } from './offers/read-offers.ts';

/** What `useServers` takes beside the servers. */
export interface ServersOptions extends Omit<ConnectionOptions, 'onLog'> {
  /** Told of what the servers say while nobody calls them. */
  readonly onLog?: (server: string, line: ForeignLog) => void;
  /** What they offer is offered on together: each resource under an address that says whose it is. */
  readonly together?: boolean;
}

/** What several servers offer together: lists that change as the servers come, go and change. */
export interface Servers {
  readonly connections: readonly ServerConnection[];
  readonly tools: Registry<AnyTool>;
  readonly prompts: Registry<AnyPrompt>;
  readonly resources: Registry<Resource | ResourceTemplate>;
}

/** Connects to servers for as long as the caller lives. One that fails takes no other along. */
export function useServers(
  entries: readonly ServerEntry[],
  options: ServersOptions = {},
): Operation<Servers> {
  return resource(function* (provide) {
    const { onLog, together = false, ...others } = options;
    const tools = createMcpRegistry<AnyTool>();
    const prompts = createMcpRegistry<AnyPrompt>();
    const resources = createMcpRegistry<Resource | ResourceTemplate>();
    const connections: ServerConnection[] = [];
    const made = new WeakMap<ServerOffers, Made>();
    const update = () => {
      const all = connections.map((connection) => {
        const offers = connection.offers();
        const known =
          made.get(offers) ??
          makeAll(connection, offers, together, (message) =>
            onLog?.(connection.name, { level: 'warning', message }),
          );
        made.set(offers, known);
        return known;
      });
      const named = <T extends { readonly name: string }>(items: readonly T[]) =>
        firstOf(items, ({ name }) => name);
      setIfNew(tools, named(all.flatMap((one) => one.tools)));
      setIfNew(prompts, named(all.flatMap((one) => one.prompts)));
      setIfNew(
        resources,
        firstOf(
          all.flatMap((one) => one.resources),
          addressOf,
        ),
      );
    };
    for (const entry of entries) {
      const connection = yield* useMcpConnection(entry, {
        ...others,
        ...(onLog ? { onLog: (line) => onLog(entry.name, line) } : {}),
      });
      connections.push(connection);
      yield* ensure(connection.subscribe(update));
    }
    yield* provide({ connections, tools, prompts, resources });
  });
}

interface Made {
  readonly tools: readonly AnyTool[];
  readonly prompts: readonly AnyPrompt[];
  readonly resources: readonly (Resource | ResourceTemplate)[];
}

function makeAll(
  connection: ServerConnection,
  offers: ServerOffers,
  together: boolean,
  report: (problem: string) => void,
): Made {
  const addresses = together ? addressesOf(connection) : THEIR_OWN;
  const each = <I, T>(items: readonly I[], make: (item: I) => T): readonly T[] =>
    items.flatMap((item) => {
      try {
        return [make(item)];
      } catch (thrown) {
        report(`one thing that it offers is left out: ${toError(thrown).message}`);
        return [];
      }
    });
  return {
    tools: each(offers.tools, (tool) => foreignTool(connection, tool, { addresses })),
    prompts: each(offers.prompts, (prompt) => foreignPrompt(connection, prompt, addresses)),
    resources: [
      ...each(offers.resources, (one) => foreignResource(connection, one, addresses)),
      ...each(offers.templates, (one) => foreignTemplate(connection, one, addresses)),
    ],
  };
}

function addressOf({ def: { info } }: Resource | ResourceTemplate): string {
  return 'uri' in info ? info.uri : info.uriTemplate;
}

/** Those whose key no earlier one has. */
function firstOf<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    if (seen.has(key)) return false;
    return seen.add(key);
  });
}

function setIfNew<T>(
  registry: { list(): readonly T[]; set(items: readonly T[]): void },
  items: readonly T[],
): void {
  const before = registry.list();
  if (before.length !== items.length || items.some((item, index) => item !== before[index]))
    registry.set(items);
}
