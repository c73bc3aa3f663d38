import type { Client } from '@modelcontextprotocol/client';
import { action, type Operation, race, resource, sleep, spawn, type Task, until } from 'effection';
import { ServerUnavailableError } from '../../core/errors/foreign-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { defined } from '../../core/schema/defined.ts';
import { followCall } from './calls/follow-call.ts';
import type { ForeignContext } from './calls/foreign-context.ts';
import { CallsInFlight } from './calls/in-flight.ts';
import type { ForeignLine } from './calls/line.ts';
import { ModelConsent } from './calls/model-consent.ts';
import type { ServerEntry } from './config/server-entry.ts';
import { type ServerLink, useLink } from './link.ts';
import { NO_OFFERS, readOffers, type ServerOffers } from './offers/read-offers.ts';
import type { ConnectionOptions, ConnectionState, ServerConnection } from './server-connection.ts';
import {
  isClosed,
  isForgotten,
  isGone,
  isLogin,
  isLoginRefused,
  reasonOf,
  refusal,
} from './transport/failed-request.ts';

/** The pause before a connection is tried again: it doubles from the first to the last. Milliseconds. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 60_000;

/** Logins that one request may take. */
const MAX_LOGINS = 2;

/** A connection that lasted so long was a good one. Milliseconds. */
const GOOD = 30_000;

/**
 * Connects to a server for as long as the caller lives: starts its process or reaches its address, finds out which era of the
 * protocol it speaks, reads what it offers, and begins again, ever more slowly, when that ends. Never fails by itself.
 *
 * @example
 * const github = yield* useMcpConnection(entry);
 * const tools = github.offers().tools;
 */
export function useMcpConnection(
  entry: ServerEntry,
  options: ConnectionOptions = {},
): Operation<ServerConnection> {
  return resource(function* (provide) {
    const connection = new Connection(entry, options);
    yield* connection.begin();
    yield* provide(connection);
  });
}

/** Which era each server spoke: all that connect to it begin with that. */
const eras = new WeakMap<ServerEntry, '2025' | '2026'>();

class Connection implements ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly #options: ConnectionOptions;
  readonly #calls = new CallsInFlight();
  readonly #listeners = new Set<() => void>();
  readonly #updateListeners = new Set<(uri: string) => void>();
  readonly #consent = new ModelConsent();
  #state: ConnectionState = { kind: 'connecting' };
  #offers: ServerOffers = NO_OFFERS;
  #link: ServerLink | undefined;
  #failures = 0;
  #stop: (() => void) | undefined;
  #run: Task<never> | undefined;
  #stale = false;
  #ended = false;

  constructor(entry: ServerEntry, options: ConnectionOptions) {
    this.name = entry.name;
    this.entry = entry;
    this.#options = options;
  }

  state(): ConnectionState {
    return this.#state;
  }

  offers(): ServerOffers {
    return this.#offers;
  }

  subscribe(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  onUpdated(listener: (uri: string) => void): () => void {
    this.#updateListeners.add(listener);
    return () => void this.#updateListeners.delete(listener);
  }

  rootsChanged(): void {
    // In 2026-07-28 folders are asked for within a call, each time anew.
    if (!this.#options.roots || this.#link?.era !== '2025') return;
    this.connected()
      ?.sendRootsListChanged()
      .catch(() => {});
  }

  restart(): void {
    eras.delete(this.entry);
    this.#stop?.();
  }

  *begin(): Operation<void> {
    this.#run = yield* spawn(() => this.run());
  }

  *end(): Operation<void> {
    this.#ended = true;
    if (this.#run) yield* this.#run.halt();
    this.#become({ kind: 'waiting', why: 'it was ended' });
  }

  *client(): Operation<Client> {
    // One that has just ended is put away before the next one begins.
    while (this.#link && !this.#link.isOpen()) yield* this.#change();
    const failures = this.#failures;
    // Who needs it now does not wait out the pause.
    if (this.#state.kind === 'waiting') this.#stop?.();
    for (;;) {
      if (this.#link && this.#state.kind === 'ready') return this.#link.client;
      if ((this.#ended || this.#failures > failures) && this.#state.kind === 'waiting') {
        throw new ServerUnavailableError({ server: this.name, why: this.#state.why });
      }
      yield* this.#change();
    }
  }

  connected(): Client | undefined {
    return this.#state.kind === 'ready' && this.#link?.isOpen() ? this.#link.client : undefined;
  }

  *request<T>(ctx: ForeignContext, make: (line: ForeignLine) => Operation<T>): Operation<T> {
    let isAgain = false;
    for (let logins = 0; ; logins++) {
      const client = yield* this.#current();
      const link = this.#link;
      let mine: ForeignLine | undefined;
      try {
        const called = {
          name: this.name,
          calls: this.#calls,
          consent: this.#consent,
          client: () => this.#current(),
        };
        return yield* followCall<T>(called, client, ctx, (line) => {
          mine = line;
          return make(line);
        });
      } catch (error) {
        if (mine?.call.isTask) throw yield* this.#failure(link, error);
        if (!isAgain && link && (yield* this.#isForgotten(link, error))) {
          // What the server refused has not run.
          isAgain = true;
          continue;
        }
        const asks = isLogin(error) && logins < MAX_LOGINS && link !== undefined;
        if (asks) yield* ctx.log('notice', `the server '${this.name}' wants a login first`);
        if (!(asks && (yield* until(link.login())))) throw yield* this.#failure(link, error);
      }
    }
  }

  *#current(): Operation<Client> {
    return this.connected() ?? (yield* this.client());
  }

  /** Whether a request failed since its server has forgotten the session, as after a restart: that session has ended then. */
  *#isForgotten(link: ServerLink, error: unknown): Operation<boolean> {
    if (!isForgotten(error) || !link.hasSession() || (yield* link.isThere())) return false;
    if (this.#link === link) this.#stop?.();
    while (this.#link === link) yield* this.#change();
    return true;
  }

  /** What a failed request comes to, for who made it. */
  *#failure(link: ServerLink | undefined, error: unknown): Operation<Error> {
    if (isClosed(error)) {
      const why = link ? yield* link.closed() : 'it ended the connection';
      return new ServerUnavailableError({ server: this.name, why, cause: error });
    }
    if (isLoginRefused(error))
      return new ServerUnavailableError({ server: this.name, why: toError(error).message, cause: error });
    if (!isGone(error)) return refusal(this.name, error);
    // Nothing says so by itself where each request has a connection of its own: one that failed says little of those of other calls.
    const stays = this.#calls.isAny && link && (yield* link.isThere());
    if (this.#link === link && !stays) this.#stop?.();
    return new ServerUnavailableError({
      server: this.name,
      why: `it cannot be reached (${reasonOf(error)})`,
      cause: error,
    });
  }

  /** Connects, again and again. Never fails. */
  *run(): Operation<never> {
    for (;;) {
      const began = performance.now();
      this.#become({ kind: 'connecting' });
      const why = yield* this.#live();
      if (performance.now() - began > GOOD) this.#failures = 0;
      this.#failures += 1;
      if (this.#options.login?.refused) {
        // Each attempt would end at the same question.
        this.#become({ kind: 'waiting', why });
        yield* this.#stopped();
        continue;
      }
      const pause = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (this.#failures - 1));
      this.#become({ kind: 'waiting', why, pause });
      yield* race([sleep(pause), this.#stopped()]);
    }
  }

  /** One life; gives why it ended. */
  *#live(): Operation<string> {
    try {
      return yield* race([this.#connected(), this.#stopped()]);
    } catch (error) {
      // It may be another one by now.
      if (!this.#link) eras.delete(this.entry);
      return toError(error).message;
    } finally {
      this.#link = undefined;
    }
  }

  *#connected(): Operation<string> {
    this.#consent.takeBack();
    const link = yield* useLink({
      entry: this.entry,
      calls: this.#calls,
      info: this.#options.info ?? { name: 'parley', version: '0.0.0' },
      era: this.#options.era ?? eras.get(this.entry),
      ...defined({ login: this.#options.login }),
      log: (line) => this.#options.onLog?.(line),
      hear: this.#options.onMessage,
      roots: this.#options.roots,
      changed: () => {
        // It is read anew in its time, however often it is said until then.
        if (this.#stale) return;
        this.#stale = true;
        this.#tell();
      },
      updated: (uri) => {
        for (const listener of [...this.#updateListeners]) listener(uri);
      },
    });
    this.#link = link;
    eras.set(this.entry, link.era);
    yield* this.#readOffers(link.client);
    this.#become({ kind: 'ready', era: link.era });
    yield* spawn(() => this.#keepOffers(link.client));
    return yield* link.closed();
  }

  *#readOffers(client: Client): Operation<void> {
    this.#stale = false;
    this.#offers = yield* this.#offersOf(client);
    for (const problem of this.#offers.problems)
      this.#options.onLog?.({ level: 'warning', message: problem });
  }

  /** A server may ask for a login only when it is asked for something. */
  *#offersOf(client: Client): Operation<ServerOffers> {
    for (let logins = 0; ; logins++) {
      try {
        return yield* readOffers(client);
      } catch (error) {
        const asks = isLogin(error) && logins < MAX_LOGINS && this.#link !== undefined;
        if (!(asks && (yield* until(this.#link?.login() ?? Promise.resolve(false))))) throw error;
      }
    }
  }

  *#keepOffers(client: Client): Operation<never> {
    for (;;) {
      if (!this.#stale) yield* this.#change();
      if (!this.#stale) continue;
      try {
        yield* this.#readOffers(client);
        this.#tell();
      } catch (error) {
        this.#options.onLog?.({
          level: 'warning',
          message: `its lists could not be read: ${toError(error).message}`,
        });
      }
      // However often a server says that its lists have changed.
      yield* sleep(FIRST_PAUSE);
    }
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #change(): Operation<void> {
    return action((resolve) => this.subscribe(() => resolve()));
  }

  #stopped(): Operation<string> {
    return action((resolve) => {
      const stop = () => resolve('it was restarted');
      this.#stop = stop;
      return () => {
        if (this.#stop === stop) this.#stop = undefined;
      };
    });
  }
}
