import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFilesStore } from '#src/stores/index.ts';
import { openSession, type Session2025, sessionAt } from '#test/mcp/kit/wire.ts';
import { calls, once } from '#test/unit/mcp/any-example.ts';
import { anyWireAnswer, type WireAsk } from '#test/unit/runtime/journal/any-person.ts';

const capabilities = { elicitation: { form: {} }, sampling: { tools: {} } };

/** Names the call by the seed. */
const idsOf = (seed: number) => (prefix: string) => `${prefix}_${prefix === 'call' ? seed : randomUUID()}`;

type Told = WireAsk | { readonly result: unknown };

/** A whole call: what was asked, one after the other, and what it came to. `leg` says which server has it up to the next question. */
async function played(
  seed: number,
  [name, args]: readonly [string, object],
  leg: <T>(use: (url: URL) => Promise<T>) => Promise<T>,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  let session: Session2025 | undefined;
  let last: { readonly event: string | undefined; readonly id: string | number } | undefined;
  for (;;) {
    const next = await leg(async (url): Promise<Told> => {
      const here = session ? sessionAt(url, session) : await openSession(url, capabilities);
      session = here;
      const reply = await (last
        ? here.get(last.event)
        : here.request(7, 'tools/call', { name, arguments: args }));
      const asked = told.at(-1);
      if (last && asked && 'method' in asked) {
        const answered = await here.answer(last.id, anyWireAnswer(seed, `${told.length}`, asked));
        expect(answered.status).toBe(202);
      }
      try {
        for (;;) {
          const event = await reply.next();
          if (!event) throw new Error(`the stream ended after ${told.length} questions`);
          const { id, method, params, result, error } = event.message ?? {};
          if (id === 7 && (result || error)) return { result: result ?? error };
          if (!method || id === undefined || id === null) continue;
          last = { event: event.id, id };
          return { method, params };
        }
      } finally {
        reply.drop();
      }
    });
    told.push(next);
    if ('result' in next) return told;
  }
}

const keys = [randomBytes(32)];

describe('each example, for a client of 2025-11-25, with a new server after each question', () => {
  it.each(calls)(
    'asks what one server would have asked, and comes to the same: %s',
    async (...call) => {
      const [name] = call;
      for (const seed of name === 'book_flight' ? [1] : [1, 2, 3]) {
        const folder = await mkdtemp(join(tmpdir(), 'parley-any-'));
        onTestFinished(() => rm(folder, { recursive: true }));
        const stayed = await once(idsOf(seed), {}, (url) => played(seed, call, (use) => use(url)));
        const state = () => ({ state: createFilesStore({ folder, keys }) });
        const moved = await played(seed, call, (use) => once(idsOf(seed), state(), use));
        expect(moved).toEqual(stayed);
        expect(stayed.length).toBeGreaterThan(1);
      }
    },
    60_000,
  );
});
