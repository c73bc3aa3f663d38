import type { Undo } from '../../runtime/call/tool-side.ts';

/** Calls that were let go of and never come back do not stay for ever. */
const CAPACITY = 256;

/** What takes back the steps of calls, which is done when their code has been halted. */
export class KeptUndos {
  readonly #calls = new Map<string, Map<string, Undo>>();

  /** Those of one call. */
  of(callId: string): Map<string, Undo> {
    const undos = this.#calls.get(callId) ?? new Map<string, Undo>();
    this.#calls.delete(callId);
    this.#calls.set(callId, undos);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CAPACITY && oldest !== undefined) this.#calls.delete(oldest);
    return undos;
  }

  /** The call has ended. */
  forget(callId: string): void {
    this.#calls.delete(callId);
  }
}
