import { type Operation, type WithResolvers, withResolvers } from 'effection';
import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import type { CallMessage, CallSnapshot } from './messages.ts';
import { type CallAttachment, CallRefused } from './port.ts';

/** A message that is under way, for who brings the same meanwhile. */
interface Joined extends Pick<WithResolvers<CallSnapshot>, 'operation'>, Pick<CallMessage, 'digest'> {
  readonly bound: string | undefined;
}

/** The messages that are under way. */
export class CallJoining {
  readonly #joined = new Map<string, Joined>();

  /** The same message at one moment is one attachment. */
  *together(
    name: CallName,
    { hand }: CallAttachment,
    message: CallMessage | undefined,
    attach: () => Operation<CallSnapshot>,
  ): Operation<CallSnapshot> {
    if (!message) return yield* attach();
    const { id, bound, digest } = message;
    // What a client has in its hand goes on anew with other answers.
    const key = `${callKey(name)} ${hand?.brought ? digest : ''} ${id}`;
    const same = this.#joined.get(key);
    if (same) {
      if (same.bound !== bound) throw new CallRefused('unknown');
      if (same.digest !== digest) throw new CallRefused('other');
      return yield* same.operation;
    }
    const { operation, resolve, reject } = withResolvers<CallSnapshot>('the same message');
    this.#joined.set(key, { bound, digest, operation });
    try {
      const snapshot = yield* attach();
      resolve(snapshot);
      return snapshot;
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      this.#joined.delete(key);
      reject(new CallRefused('closed'));
    }
  }
}
