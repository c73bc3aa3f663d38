import { all, ensure, type Operation, resource } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import { createMcpRegistry, type Registry } from '../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../core/served/resource.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { policedTool } from '../../runtime/policy/policed-tool.ts';
import type { ForeignLog } from './calls/in-flight.ts';
import type { ServerEntry } from './config/server-entry.ts';
import { useMcpConnection } from './connection.ts';
import type { Login } from './login/login.ts';
import { addressesOf, THEIR_OWN } from './offers/addresses.ts';
import { foreignPrompt } from './offers/foreign-prompt.ts';
import { foreignResource, foreignTemplate } from './offers/foreign-resource.ts';
import { foreignTool } from './offers/foreign-tool.ts';
import type { ServerOffers } from './offers/read-offers.ts';
import type { ConnectionOptions, ServerConnection } from './server-connection.ts';

/** What `useServers` takes beside the servers. */
export interface ServersOptions extends Omit<ConnectionOptions, 'onLog' | 'login'> {
  /** How to log in at each. */
  readonly loginOf?: (entry: ServerEntry) => Login | undefined;
  /** Told of what the servers say while nobody calls them. */
  readonly onLog?: (server: string, line: ForeignLog) => void;
  /** What they offer is offered on together: each resource under an address that says whose it is. */
  readonly together?: boolean;
  /** Each of their tools asks the policy of whoever runs calls before it runs, whichever way it is called. */
  readonly policed?: boolean;
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
    const { onLog, loginOf, together = false, policed = false, ...others } = options;
    const tools = createMcpRegistry<AnyTool>();
    const prompts = createMcpRegistry<AnyPrompt>();
    const resources = createMcpRegistry<Resource | ResourceTemplate>();
    const connections: ServerConnection[] = [];
    const made = new WeakMap<ServerConnection, Made>();
    const update = () => {
      const offered = connections.map((connection) => {
        const offers = connection.offers();
        const before = made.get(connection);
        if (before?.of === offers) return before;
        const now = makeAll(connection, offers, { together, policed }, before, (message) =>
          onLog?.(connection.name, { level: 'warning', message }),
        );
        made.set(connection, now);
        return now;
      });
      const named = <T extends { readonly name: string }>(items: readonly T[]) =>
        firstOf(items, ({ name }) => name);
      setIfNew(tools, named(offered.flatMap((one) => one.tools)));
      const listed = offered.filter((_, at) => !connections[at]?.entry.unlisted);
      setIfNew(prompts, named(listed.flatMap((one) => one.prompts)));
      setIfNew(
        resources,
        firstOf(
          listed.flatMap((one) => one.resources),
          addressOf,
        ),
      );
    };
    for (const entry of entries) {
      const connection = yield* useMcpConnection(entry, {
        ...others,
        ...defined({ login: loginOf?.(entry) }),
        ...(onLog ? { onLog: (line) => onLog(entry.name, line) } : {}),
      });
      connections.push(connection);
      yield* ensure(connection.subscribe(update));
    }
    // At once: each may take its time, and who waits for all of them has little.
    yield* ensure(function* () {
      yield* all(connections.map((connection) => connection.end()));
    });
    yield* provide({ connections, tools, prompts, resources });
  });
}

interface Made {
  readonly of: ServerOffers;
  readonly kept: Kept;
  readonly tools: readonly AnyTool[];
  readonly prompts: readonly AnyPrompt[];
  readonly resources: readonly (Resource | ResourceTemplate)[];
}

/** What was made of each thing that a server offers, by what it says of it. */
interface Kept {
  readonly tools: Map<string, AnyTool>;
  readonly prompts: Map<string, AnyPrompt>;
  readonly resources: Map<string, Resource>;
  readonly templates: Map<string, ResourceTemplate>;
}

/** What reads as it did before stays the very same: lists that are only read again are no change to anybody. */
function makeAll(
  connection: ServerConnection,
  offers: ServerOffers,
  { together, policed }: Required<Pick<ServersOptions, 'together' | 'policed'>>,
  before: Made | undefined,
  report: (problem: string) => void,
): Made {
  const addresses = together ? addressesOf(connection) : THEIR_OWN;
  const kept: Kept = { tools: new Map(), prompts: new Map(), resources: new Map(), templates: new Map() };
  const each = <I, T>(
    items: readonly I[],
    old: ReadonlyMap<string, T> | undefined,
    now: Map<string, T>,
    make: (item: I) => T,
  ): readonly T[] =>
    items.flatMap((item) => {
      const said = JSON.stringify(item);
      try {
        const one = old?.get(said) ?? make(item);
        now.set(said, one);
        return [one];
      } catch (thrown) {
        report(`one thing that it offers is left out: ${toError(thrown).message}`);
        return [];
      }
    });
  const { tools, prompts, resources, templates } = offers;
  const old = before?.kept;
  return {
    of: offers,
    kept,
    tools: each(tools, old?.tools, kept.tools, (one) => {
      const tool = foreignTool(connection, one, { addresses });
      return policed ? policedTool(tool) : tool;
    }),
    prompts: each(prompts, old?.prompts, kept.prompts, (one) => foreignPrompt(connection, one, addresses)),
    resources: [
      ...each(resources, old?.resources, kept.resources, (one) =>
        foreignResource(connection, one, addresses),
      ),
      ...each(templates, old?.templates, kept.templates, (one) =>
        foreignTemplate(connection, one, addresses),
      ),
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

/** Puts items into a registry, and tells nobody where they are there already. */
export function setIfNew<T>(
  registry: { list(): readonly T[]; set(items: readonly T[]): void },
  items: readonly T[],
): void {
  const before = registry.list();
  if (before.length !== items.length || items.some((item, index) => item !== before[index]))
    registry.set(items);
}
