import { type Operation, sleep } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import type { CallName, CallStore } from '../../stores/index.ts';

/** Keeps what principals were given at the servers behind this one. */
export interface KeptLogins {
  /** Whether other processes read and write it, too. */
  readonly shared: boolean;
  read(principal: string, server: string): Operation<string | undefined>;
  keep(principal: string, server: string, text: string): Operation<void>;
  /** The turn of this process, of all that share them; returns what ends it, nothing while another has it. */
  turn?(principal: string, name: string): Operation<(() => Operation<void>) | undefined>;
}

/** Logins that a process remembers. */
const MOST = 10_000;

/** In the memory of this process: who comes back after it has ended logs in again. */
export function loginsInMemory(): KeptLogins {
  const kept = new Map<string, string>();
  const key = (...whose: readonly string[]) => JSON.stringify(whose);
  return {
    shared: false,
    *read(principal, server) {
      return kept.get(key(principal, server));
    },
    *keep(principal, server, text) {
      kept.delete(key(principal, server));
      kept.set(key(principal, server), text);
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** Beside the calls, sealed like them: who comes back, to whatever replica, is logged in. */
export function loginsInStore(store: CallStore): Required<KeptLogins> {
  return {
    shared: true,
    *read(principal, server) {
      const login = (yield* store.read(nameOf(principal, server)))?.notes.login;
      return typeof login === 'string' ? login : undefined;
    },
    *keep(principal, server, login) {
      const name = nameOf(principal, server);
      const notes = { login };
      for (;;) {
        const outcome = yield* store.claim(name);
        if (outcome.type === 'unknown') {
          try {
            return yield* store.release(yield* store.begin({ name, header: { login: server }, notes }));
          } catch (error) {
            // Another replica was first.
            if (!isParleyError(error, 'SESSION_EXISTS')) throw error;
          }
        } else if (outcome.type === 'claimed') {
          yield* store.append(outcome.claim, { at: 0, notes });
          return yield* store.release(outcome.claim);
        } else yield* sleep(HELD);
      }
    },
    *turn(principal, callId) {
      const name: CallName = { principal, conversation: 'refreshes of parley', callId };
      try {
        // Ended: when its process dies in its turn, it gives way first.
        yield* store.release(yield* store.begin({ name, header: {}, ended: true }));
      } catch (error) {
        if (isParleyError(error, 'SESSION_EXISTS')) return undefined;
        throw error;
      }
      return function* () {
        yield* store.forget(name);
      };
    },
  };
}

/** Before a login is looked at again that another replica is writing, milliseconds. */
const HELD = 50;

/** No conversation of a client is called so. */
function nameOf(principal: string, server: string): CallName {
  return { principal, conversation: 'logins of parley', callId: server };
}
