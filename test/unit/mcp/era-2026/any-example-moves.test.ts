import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSqliteStore } from '#src/stores/index.ts';
import { ask, envelope } from '#test/mcp/kit/wire.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { calls, once } from '#test/unit/mcp/any-example.ts';
import { anyWireAnswer, type WireAsk } from '#test/unit/runtime/journal/any-person.ts';

interface Answer {
  readonly inputRequests?: Readonly<Record<string, WireAsk>>;
  readonly requestState?: string;
}

const idsOf = (seed: number) => (prefix: string) => `${prefix}_${seed}`;

async function post(url: URL, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  const _meta = envelope({ elicitation: { form: {} }, sampling: { tools: {} } });
  const { result, error } = await ask(url, 'tools/call', { ...params, _meta });
  if (error) throw new Error(error.message);
  return result;
}

/** A whole call: what was asked in each leg, and what it came to. `leg` says which server has it. */
async function played(
  seed: number,
  [name, args]: readonly [string, object],
  leg: <T>(use: (url: URL) => Promise<T>) => Promise<T>,
): Promise<readonly object[]> {
  const told: object[] = [];
  let more: object = {};
  for (;;) {
    const answer = await leg((url) => post(url, { name, arguments: args, ...more }));
    const { inputRequests, requestState, ...end } = answer;
    if (!inputRequests) return [...told, end];
    told.push(inputRequests);
    const inputResponses = Object.fromEntries(
      Object.entries(inputRequests).map(([key, asked]) => [key, anyWireAnswer(seed, key, asked)]),
    );
    more = { requestState, inputResponses };
  }
}

const stateKeys = [randomBytes(32)];

const refused = expect.objectContaining({
  isError: true,
  content: [{ type: 'text', text: expect.stringContaining("the step 'book' does more than read") }],
});

describe.each(['carried', 'stored'])(
  'each example, %s, with a new server for each leg, or either of two',
  (where) => {
    it.each(calls)(
      'asks what one server would have asked, and comes to the same: %s',
      async (...call) => {
        const [name] = call;
        const folder = tempFolder();
        const moving = (part = 'moved') =>
          where === 'carried'
            ? ({ state: 'carried', stateKeys } as const)
            : { state: createSqliteStore({ folder: join(folder, part), keys: stateKeys }) };
        for (const seed of name === 'book_flight' ? [1] : [1, 2, 3, 4, 5]) {
          const stayed = [...(await once(idsOf(seed), {}, (url) => played(seed, call, (use) => use(url))))];
          // It books in a step that does more than read: in its client's hand that is refused.
          if (where === 'carried' && name === 'book_flight') stayed.splice(-1, 1, refused);
          const moved = await played(seed, call, (use) => once(idsOf(seed), moving(), use));
          expect(moved).toEqual(stayed);
          // Both stand ready with what they had last.
          let turns = seed;
          const toAndFro = await once(idsOf(seed), moving('to and fro'), (here) =>
            once(idsOf(seed), moving('to and fro'), (there) =>
              played(seed, call, (use) => use((turns++ >> 1) % 2 ? here : there)),
            ),
          );
          expect(toAndFro).toEqual(stayed);
          expect(stayed.length).toBeGreaterThan(1);
        }
      },
      60_000,
    );
  },
);
