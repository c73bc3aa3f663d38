import * as z from 'zod';

/** What the handlers ask for. */
export const named = z.object({ name: z.string() });
export const amount = z.object({ amount: z.number().min(1) });
export const draft = z.object({ text: z.string().optional() });
export const sure = z.object({ ok: z.boolean() });
export const size = z.object({ size: z.string() });
export const day = z.object({ day: z.string() });

/** What the handlers take. */
export const takes = z.object({ id: z.string() });

/** The world that they change, and what was done to it. */
export class World {
  readonly did: string[] = [];
  readonly #once = new Map<string, unknown>();

  readonly count = async (table: string) => table.length;
  readonly paid = async (_: string) => 50;
  readonly keys = async (_: string) => ['old', 'older'];
  readonly free = async (_: string) => ['monday', 'friday'];

  async act<T>(what: string, gives: T): Promise<T> {
    this.did.push(what);
    return gives;
  }

  /** What an author has to have by hand: effects once, by a key. */
  async once<T>(key: string, act: () => Promise<T>): Promise<T> {
    if (!this.#once.has(key)) this.#once.set(key, await act());
    return this.#once.get(key) as T;
  }
}
