import { all, spawn } from 'effection';
import { describe, expect, it } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { type Ctx, clientOf, endOf, row, said, tool, waits, withManager } from './session-kit.ts';

const MINUTES = 240_000;
const roomy = { own: [''] };

describe('at scale', () => {
  it(
    'ten thousand suspended calls are all answered, each with its own answer',
    { timeout: MINUTES },
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx, { n }) {
        const answer = yield* ctx.elicit('seat', { message: `call ${n}` });
        return [n, answer.action === 'accept' && answer.content.row];
      });
      const sessions: Session[] = [];
      for (let n = 0; n < 10_000; n++) sessions.push(yield* manager.create({ tool: code, params: { n } }));
      expect(manager.listActive()).toHaveLength(10_000);
      for (const [n, session] of sessions.entries()) session.respondToElicit('elicit-1', row((n % 30) + 1));
      for (const [n, session] of sessions.entries()) {
        expect(yield* endOf(session)).toMatchObject({ type: 'result', value: [n, (n % 30) + 1] });
      }
      expect(manager.listActive()).toEqual([]);
    }, roomy),
  );

  it(
    'a history of ten thousand messages is sent whole, and copied once',
    { timeout: MINUTES },
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx: Ctx) {
        for (let n = 0; n < 300; n++) yield* ctx.sample({ prompt: `${n}` });
        const long = Array.from({ length: 10_000 }, (_, n) => ({
          role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
          content: { type: 'text' as const, text: `${n}` },
        }));
        yield* ctx.sample({ messages: long });
        return ctx.messages.length;
      });
      const lengths: number[] = [];
      const client = clientOf({
        *sample({ request }) {
          lengths.push(request.messages.length);
          return said('x');
        },
      });
      const session = yield* manager.create({ tool: code, params: {} });
      expect(yield* drive(session, client, 'end')).toMatchObject({ value: 600 });
      expect(lengths.at(-2)).toBe(599);
      expect(lengths.at(-1)).toBe(10_000);
    }),
  );

  it(
    'a thousand drivers of one session see its end',
    { timeout: MINUTES },
    withManager(function* ({ manager }) {
      const code = tool((ctx: Ctx) => ctx.elicit('seat', { message: '?' }));
      const session = yield* manager.create({ tool: code, params: {} });
      const drivers = [];
      for (let n = 0; n < 1_000; n++) {
        drivers.push(yield* spawn(() => drive(session, clientOf({ elicit: waits }), 'end')));
      }
      yield* spawn(function* () {
        session.respondToElicit('elicit-1', row(1));
      });
      const ends = yield* all(drivers);
      expect(new Set(ends.map(({ at }) => at)).size).toBe(1);
    }),
  );
});
