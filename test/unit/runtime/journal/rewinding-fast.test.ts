import { ensure, run, scoped, spawn, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { isParleyError } from '#src/core/errors/errors.ts';
import type { JournalLine } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { endOf, row, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable } from './journal-kit.ts';

describe('going back', () => {
  it(
    'ten times at once goes back once, and takes each step back once',
    withManager(function* ({ manager }) {
      const world: string[] = [];
      const two = durable(function* (ctx: Ctx) {
        const { row: chosen } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
        yield* ctx.step('book', () => void world.push('book'), { undo: () => void world.push('unbook') });
        yield* ctx.elicit('seat', { message: 'Sure?' });
        return chosen;
      });
      const session = yield* manager.create({ tool: two, params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      const codes: string[] = [];
      const presses = [];
      for (let press = 0; press < 10; press++) {
        presses.push(
          yield* spawn(function* () {
            try {
              yield* session.rewind('elicit-1');
              codes.push('back');
            } catch (error) {
              codes.push(isParleyError(error) ? error.code : 'unknown');
            }
          }),
        );
      }
      for (const press of presses) yield* press;
      expect(codes.sort()).toEqual([...Array<string>(9).fill('REWIND_REFUSED'), 'back']);
      expect(world).toEqual(['book', 'unbook']);
      expect(session.openAsks()).toMatchObject([{ request: { message: 'Which row?' } }]);
      const [first] = session.openAsks();
      session.respond(first?.id ?? '', row(2));
      yield* settle();
      const [second] = session.openAsks();
      session.respond(second?.id ?? '', { action: 'decline' });
      expect(yield* endOf(session)).toMatchObject({ value: 2 });
    }),
  );

  it(
    'at the first question, which is still open, asks it again, and the call goes on from there',
    withManager(function* ({ manager }) {
      const one = durable(function* (ctx: Ctx) {
        const { row: chosen } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
        return chosen;
      });
      const session = yield* manager.create({ tool: one, params: {} });
      yield* settle();
      yield* session.rewind('elicit-1');
      const asks = session.openAsks();
      expect(asks).toMatchObject([{ request: { message: 'Which row?' } }]);
      session.respond(asks[0]?.id ?? '', row(4));
      expect(yield* endOf(session)).toMatchObject({ value: 4 });
    }),
  );

  it(
    'while an answer is being written down waits for that, and takes it back with what followed',
    withManager(function* ({ manager }) {
      const seen: number[] = [];
      const written = withResolvers<void>();
      const twice = durable(function* (ctx: Ctx) {
        seen.push((yield* ctx.elicit.strict('seat', { message: 'First?' })).row);
        seen.push((yield* ctx.elicit.strict('seat', { message: 'Second?' })).row);
      });
      const session = yield* manager.create({
        tool: twice,
        params: {},
        *keep() {
          return {
            *append(lines: readonly JournalLine[]) {
              if (lines.some((line) => line.t === 'answer' && line.id === 'elicit-2'))
                yield* written.operation;
            },
          };
        },
      });
      yield* settle();
      yield* session.respond('elicit-1', row(1));
      yield* settle();
      const answered = yield* spawn(() => session.respond('elicit-2', row(2)));
      const back = yield* spawn(() => session.rewind('elicit-1'));
      yield* settle();
      written.resolve();
      yield* answered;
      yield* back;
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-3', request: { message: 'First?' } }]);
      // The code was let go before it had it: that of now is asked again.
      expect(seen).toEqual([1]);
      expect(session.ended()).toBeUndefined();
    }),
  );

  it('ends with its manager, though its code began again', async () => {
    let cleaned = 0;
    const ends = await run(() =>
      scoped(function* () {
        const manager = yield* createSessionManager();
        const cleaning = durable(function* (ctx: Ctx) {
          yield* ensure(() => void cleaned++);
          yield* ctx.elicit('seat', { message: '?' });
        });
        const session = yield* manager.create({ tool: cleaning, params: {} });
        yield* settle();
        yield* session.rewind('elicit-1');
        return session;
      }),
    );
    expect(ends.ended()).toMatchObject({ type: 'aborted' });
    expect(cleaned).toBe(2);
  });

  it(
    'while the model is asked lets go of that, and its late answer reaches nobody',
    withManager(function* ({ manager }) {
      const asking = durable(function* (ctx: Ctx) {
        const { row: chosen } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
        yield* ctx.sample({ prompt: `About row ${chosen}` });
      });
      const session = yield* manager.create({ tool: asking, params: {} });
      session.respond('elicit-1', row(1));
      yield* settle();
      const [sampling] = session.openAsks();
      expect(sampling?.kind).toBe('sample');
      yield* session.rewind('elicit-1');
      expect(session.openAsks()).toMatchObject([{ kind: 'elicit', request: { message: 'Which row?' } }]);
      const late = { role: 'assistant', content: { type: 'text', text: 'late' }, model: 'm' } as const;
      expect(() => session.respond(sampling?.id ?? '', late)).toThrow(/closed/);
    }),
  );
});
