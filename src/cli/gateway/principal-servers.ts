import {
  action,
  createScope,
  ensure,
  type Operation,
  race,
  type Scope,
  sleep,
  suspend,
  type Task,
  until,
} from 'effection';
import { defined } from '../../core/schema/defined.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import { createMcpRegistry } from '../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../core/served/resource.ts';
import {
  createLogin,
  type Login,
  type LoginPort,
  logInTool,
  type ServerConnection,
  type ServerEntry,
  setIfNew,
  useServers,
  type WaitingLogins,
} from '../../mcp/client/index.ts';
import type { PersonalOffer, Served, UsedOffer } from '../../mcp/index.ts';
import { say } from '../terminal-text.ts';
import { joined, type Offered } from './joined-lists.ts';
import type { KeptLogins } from './kept-logins.ts';
import { INFO, sayMissing, sayOf } from './with-servers.ts';

/** What the servers of principals are made of. */
export interface PrincipalServersOptions {
  /** What is offered to everybody, and comes first. */
  readonly common: Offered;
  readonly entries: readonly ServerEntry[];
  /** Whether a policy is asked before their tools run. */
  readonly policed: boolean;
  /** When what everybody is offered can be read. */
  readonly listsReady: Promise<void>;
  readonly waiting: WaitingLogins;
  readonly kept: KeptLogins;
  /** Where login pages send people back to; without it nobody logs in. Read when a principal comes. */
  redirect(): string | undefined;
}

/** How long servers may take to start before their principal is answered without them, milliseconds. */
const PATIENCE = 10_000;

/** How long after its last request the servers of a principal end: its calls that wait have ended by then. Milliseconds. */
const IDLE = 3_600_000;

/** Servers that had not answered when one principal had waited for them: the next does not wait. */
const silent = new WeakSet<ServerEntry>();

/** Principals whose servers are there at once: of more, those who have not asked for longest give way. */
const MOST = 200;

/** Gives each principal servers of its own: processes, connections, logins. They are started when it comes, and end some time after it has gone. */
export function* usePrincipalServers(
  options: PrincipalServersOptions,
): Operation<(principal: string) => PersonalOffer> {
  // A root scope: what fails for one of them must not take the others, or the server, along.
  const [scope, destroy] = createScope();
  yield* ensure(() => until(destroy()));
  const all = new Map<string, Person>();
  return (principal) => {
    const person = all.get(principal) ?? new Person(scope, principal, options);
    all.delete(principal);
    all.set(principal, person);
    for (const [name, other] of all) {
      if (all.size <= MOST) break;
      if (other === person || other.isUsed) continue;
      all.delete(name);
      other.stop();
    }
    return person.offer;
  };
}

/** The servers of one principal. */
class Person {
  readonly offer: PersonalOffer;
  readonly #scope: Scope;
  readonly #principal: string;
  readonly #options: PrincipalServersOptions;
  readonly #tools = createMcpRegistry<Served>();
  readonly #prompts = createMcpRegistry<AnyPrompt>();
  readonly #resources = createMcpRegistry<Resource | ResourceTemplate>();
  readonly #stopJoining: () => void;
  #requests = 0;
  #running: { readonly task: Task<void>; readonly ready: Promise<void> } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(scope: Scope, principal: string, options: PrincipalServersOptions) {
    this.#scope = scope;
    this.#principal = principal;
    this.#options = options;
    const own = { tools: this.#tools, prompts: this.#prompts, resources: this.#resources };
    const { stop, lists } = joined(options.common, own);
    this.#stopJoining = stop;
    this.offer = { ...lists, use: () => this.#use() };
  }

  get isUsed(): boolean {
    return this.#requests > 0;
  }

  stop(): void {
    this.#stopJoining();
    this.#sleep();
  }

  #use(): UsedOffer {
    this.#requests += 1;
    clearTimeout(this.#idle);
    this.#running ??= this.#start();
    return {
      ready: Promise.all([this.#running.ready, this.#options.listsReady]).then(() => {}),
      release: () => {
        this.#requests -= 1;
        if (this.#requests > 0) return;
        this.#idle = setTimeout(() => this.#sleep(), IDLE);
        this.#idle.unref();
      },
    };
  }

  /** What its servers offered stays listed: a call wakes them. */
  #sleep(): void {
    clearTimeout(this.#idle);
    this.#running?.task.halt().catch((cause: unknown) => say('a server could not be ended', cause));
    this.#running = undefined;
  }

  #start(): { readonly task: Task<void>; readonly ready: Promise<void> } {
    const ready = Promise.withResolvers<void>();
    const task = this.#scope.run(() => this.#serve(ready.resolve));
    task.then(ready.resolve, (cause: unknown) => {
      // What was halted is rejected as well.
      if (this.#running?.task === task) say('the servers of a principal failed', cause);
      ready.resolve();
    });
    return { task, ready: ready.promise };
  }

  *#serve(ready: () => void): Operation<void> {
    const { waiting, entries, policed } = this.#options;
    const servers = yield* useServers(entries, {
      info: INFO,
      together: true,
      policed,
      onLog: sayOf,
      loginOf: (entry) => this.#loginOf(entry),
    });
    const loginTools = new Map(
      servers.connections.map((connection) => [
        connection.name,
        logInTool(connection, () => this.#waitingAt(connection.name)),
      ]),
    );
    const update = () => {
      const logins = waiting.of(this.#principal).flatMap(({ server }) => loginTools.get(server) ?? []);
      const names = new Set(servers.tools.list().map(({ name }) => name));
      setIfNew(this.#tools, [...servers.tools.list(), ...logins.filter(({ name }) => !names.has(name))]);
      setIfNew(this.#prompts, servers.prompts.list());
      setIfNew(this.#resources, servers.resources.list());
    };
    for (const list of [servers.tools, servers.prompts, servers.resources]) {
      yield* ensure(list.subscribe(update));
    }
    yield* ensure(waiting.subscribe(update));
    yield* race([
      this.#settled(servers.connections.filter(({ entry }) => !silent.has(entry))),
      sleep(PATIENCE),
    ]);
    for (const connection of servers.connections)
      if (connection.state().kind === 'connecting') silent.add(connection.entry);
      else silent.delete(connection.entry);
    sayMissing(servers.connections.filter(({ name }) => !this.#waitingAt(name)));
    update();
    ready();
    yield* suspend();
  }

  #waitingAt(server: string) {
    return this.#options.waiting.of(this.#principal).find((one) => one.server === server);
  }

  #loginOf(entry: ServerEntry): Login | undefined {
    const redirect = this.#options.redirect();
    if (entry.kind !== 'http' || entry.credentials || redirect === undefined) return undefined;
    const { kept, waiting } = this.#options;
    const whose = { principal: this.#principal, server: entry.name };
    const { principal, server } = whose;
    const turn = kept.turn && this.#turnOf(kept.turn);
    return createLogin({
      url: entry.url,
      redirect,
      shared: kept.shared,
      ...defined({ client: entry.client, scope: entry.scope }),
      read: async () => await this.#scope.run(() => kept.read(principal, server)),
      keep: async (text) => await this.#scope.run(() => kept.keep(principal, server, text)),
      ...(turn ? { turn } : {}),
      warn: (message) => sayOf(entry.name, { level: 'warning', message }),
      send: (page, state, signal) => waiting.send(whose, { page, state, signal }),
    });
  }

  #turnOf(turn: NonNullable<KeptLogins['turn']>): NonNullable<LoginPort['turn']> {
    return async (name) => {
      const over = await this.#scope.run(() => turn(this.#principal, name));
      return over && (async () => await this.#scope.run(over));
    };
  }

  /** Each is connected, waits for a login, or could not be reached. */
  *#settled(connections: readonly ServerConnection[]): Operation<void> {
    for (const connection of connections) {
      yield* action<void>((resolve) => {
        const look = () => {
          if (connection.state().kind !== 'connecting' || this.#waitingAt(connection.name)) resolve();
        };
        const stops = [connection.subscribe(look), this.#options.waiting.subscribe(look)];
        look();
        return () => {
          for (const stop of stops) stop();
        };
      });
    }
  }
}
