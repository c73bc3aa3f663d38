import { type Operation, race, sleep, type WithResolvers, withResolvers } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';

/** What a poll gives. */
export interface Mail {
  readonly state: 'open' | 'ended';
  readonly messages: readonly JsonObject[];
  /** Up to where these go: the next `after`. */
  readonly at: number;
}

/** Messages that wait for a page at most; a page that is so far behind is shown all anew. */
const MOST = 1_000;

/** Messages for a page that asks for them. What it has been given is forgotten once it asks for what follows. */
export class Mailbox {
  #messages: JsonObject[] = [];
  /** The number of the first message kept. */
  #first = 0;
  #ended = false;
  #news: WithResolvers<void> = withResolvers<void>();

  /** Says whether there was room: without it everything is dropped, and the page needs a whole snapshot. */
  post(message: JsonObject): boolean {
    const full = this.#messages.length >= MOST;
    if (full) {
      this.#first += this.#messages.length;
      this.#messages = [];
    } else this.#messages.push(message);
    this.#wake();
    return !full;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Whether messages after `after` are forgotten already. */
  isBehind(after: number): boolean {
    return after < this.#first;
  }

  /** The messages after `after`; waits for the first of them, `patience` milliseconds at most. */
  *poll(after: number, patience: number): Operation<Mail> {
    this.#forget(after);
    if (this.#messages.length === 0 && !this.#ended) yield* race([this.#news.operation, sleep(patience)]);
    const at = this.#first + this.#messages.length;
    return { state: this.#ended ? 'ended' : 'open', messages: this.#messages, at };
  }

  #forget(after: number): void {
    const given = Math.min(Math.max(after - this.#first, 0), this.#messages.length);
    this.#messages = this.#messages.slice(given);
    this.#first += given;
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = withResolvers<void>();
  }
}
