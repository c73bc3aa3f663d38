import type { Client } from 'pg';

/** What listens on a connection. */
export interface Listening {
  /** The name of the channel, quoted. */
  readonly channel: string;
  readonly notices: Notices;
}

/** Who watches which calls, by the digests of their names. What is told comes by PostgreSQL's `NOTIFY`. */
export class Notices {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Calls back when a call should be looked at. Returns what stops it. */
  watch(id: string, look: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    // Each watch is its own, also of the same function.
    const own = () => look();
    this.#watchers.set(id, watchers.add(own));
    return () => {
      watchers.delete(own);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  /** Hears from now on what is told on a channel. What was told before on another connection may be lost: everybody looks. */
  async listen(client: Client, channel: string): Promise<void> {
    client.on('notification', ({ payload }) => this.#told(payload));
    await client.query(`listen ${channel}`);
    for (const id of this.#watchers.keys()) this.#told(id);
  }

  #told(id: string | undefined): void {
    for (const look of [...(this.#watchers.get(id ?? '') ?? [])]) look();
  }
}
