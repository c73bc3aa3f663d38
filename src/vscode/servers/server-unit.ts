import { ensure, type Operation, suspend } from 'effection';
import { defined } from '../../core/schema/defined.ts';
import type { Root } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import {
  entryHash,
  type HttpEntry,
  type ServerEntry,
  type Servers,
  useServers,
} from '../../mcp/client/index.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import { type Edge, useSubscription } from '../bridge.ts';
import type { PersonLogin } from './login/person-login.ts';
import { OneRun } from './one-run.ts';
import { type ServerRow, type ServerState, serverSourceId } from './server-book.ts';
import type { ServerLog } from './server-log.ts';
import type { FoundServer } from './sources/read-sources.ts';

/** What a unit works with. */
export interface UnitParts {
  readonly registry: Pick<ToolRegistry, 'register'>;
  readonly edge: Edge;
  readonly version: string;
  /** The folders of the window, for a server that asks for them while nobody calls it. */
  roots(): readonly Root[];
  /** How the person logs in at a server that is reached at an address. */
  login(found: FoundServer, entry: HttpEntry, log: ServerLog): Operation<PersonLogin>;
  /** A log for the server of this name. */
  log(name: string): ServerLog;
  changed(): void;
}

/** One server: how it stands, and its connection while it has one. Its tools are registered meanwhile. */
export class ServerUnit {
  found: FoundServer;
  readonly log: ServerLog;
  readonly #parts: UnitParts;
  #resting: ServerState = { kind: 'stopped' };
  readonly #run = new OneRun();
  #servers: Servers | undefined;
  #login: PersonLogin | undefined;
  /** The person stopped it: it stays so until they start it. */
  held = false;
  /** The person started it in this window. */
  started = false;

  constructor(found: FoundServer, parts: UnitParts) {
    this.found = found;
    this.#parts = parts;
    this.log = parts.log(found.name);
  }

  get row(): ServerRow {
    const { name, place, written } = this.found;
    const local = written?.[1].command === undefined ? undefined : true;
    const started = this.started || undefined;
    return { name, place, state: this.#state(), ...defined({ local, started }) };
  }

  /** The hash of what runs, or is about to; nothing while nothing does. */
  get running(): string | undefined {
    return this.#run.key;
  }

  /** What it offers, while it is connected. */
  get servers(): Servers | undefined {
    return this.#servers;
  }

  /** Its tool of this name, as the server calls it, as it is now; nothing where it has none. */
  tool(name: string): AnyTool | undefined {
    return this.#servers?.tools.list().find(({ def }) => def.foreign?.tool === name);
  }

  /** Nothing of it runs, and this is why. */
  *rest(state: ServerState): Operation<void> {
    yield* this.#run.end();
    this.#resting = state;
    this.#parts.changed();
  }

  /** Starts or reaches exactly this, in the place of what it was before. */
  *start(entry: ServerEntry): Operation<void> {
    const { edge, changed } = this.#parts;
    const hash = entryHash(entry, this.found.owner);
    yield* this.#run.start(hash, () => edge.fork(`the server ${entry.name}`, () => this.#live(entry)));
    changed();
  }

  rootsChanged(): void {
    for (const connection of this.#servers?.connections ?? []) connection.rootsChanged();
  }

  restart(): void {
    this.#login?.again();
    this.#servers?.connections[0]?.restart();
  }

  /** The person has said that they want to log in: its page opens, and nothing else is asked. */
  logIn(): void {
    if (this.#login?.agree()) this.#servers?.connections[0]?.restart();
  }

  *close(): Operation<void> {
    yield* this.#run.close();
    this.log.dispose();
  }

  #state(): ServerState {
    if (this.running === undefined) return this.#resting;
    const [connection] = this.#servers?.connections ?? [];
    const state = connection?.state() ?? { kind: 'connecting' };
    if (state.kind === 'ready' || !(this.#login?.refused || this.#login?.asks)) return state;
    return { kind: 'loggedOut', why: state.kind === 'waiting' ? state.why : '' };
  }

  *#live(entry: ServerEntry): Operation<void> {
    const { registry, changed, version } = this.#parts;
    // Nobody is asked where the entry brings an authorization of its own.
    const logsIn =
      entry.kind === 'http' &&
      !entry.credentials &&
      !Object.keys(entry.headers).some((name) => /^authorization$/i.test(name));
    this.#login = logsIn ? yield* this.#parts.login(this.found, entry, this.log) : undefined;
    const servers = yield* useServers([entry], {
      info: { name: 'parley', version },
      ...defined({ login: this.#login }),
      // A window has many servers, and clients of the window see them as one.
      together: true,
      policed: true,
      roots: this.#parts.roots,
      onLog: (_server, { level, message, data }) => this.log.write(level, message, data),
      onMessage: (direction, message) => this.log.trace(direction, message),
    });
    this.#servers = servers;
    const source = { kind: 'server', id: serverSourceId(entry.name), label: entry.name } as const;
    const registration = registry.register(source);
    yield* ensure(() => {
      registration.unregister();
      this.#servers = undefined;
      changed();
    });
    const offer = () => registration.replace({ tools: servers.tools.list().map((tool) => ({ tool })) });
    let told = '';
    const look = () => {
      const state = servers.connections[0]?.state();
      const why = state?.kind === 'waiting' ? state.why : '';
      if (why !== '' && why !== told) this.log.write('warning', why);
      told = why;
      changed();
    };
    offer();
    yield* useSubscription(() => servers.tools.subscribe(offer));
    const [connection] = servers.connections;
    if (connection) yield* useSubscription(() => connection.subscribe(look));
    look();
    yield* suspend();
  }
}
