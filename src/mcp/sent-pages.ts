import { keepLast } from '../runtime/data/keep-last.ts';

/** What a client of 2025-11-25 is told when a page has served its purpose. Source: MCP 2025-11-25, "Elicitation". */
export const PAGE_COMPLETED = 'notifications/elicitation/complete';

/** Pages that are remembered at once; the oldest give way. */
const MOST = 1_000;

/** The pages that clients were sent to, by their ids: only the client that was asked to open one is told of it. */
export class SentPages {
  readonly #tell = new Map<string, () => Promise<void>>();

  /** @param tell tells the client, also when the call is over */
  sent(id: string, tell: () => Promise<void>): void {
    keepLast(this.#tell, [id, tell], MOST);
  }

  /** Forgets it: its client has been told, or said no. False for one that is not known, or was told. */
  close(id: string): boolean {
    return this.#tell.delete(id);
  }

  /** Tells the client that opened it. A client that is gone needs no telling. */
  complete(id: string): void {
    const tell = this.#tell.get(id);
    if (this.close(id)) tell?.().catch(() => {});
  }
}
