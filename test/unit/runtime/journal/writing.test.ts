import { all, type Operation, scoped, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { ClaimLostError } from '#src/core/errors/store-errors.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { JournalLine } from '#src/runtime/journal/lines.ts';
import type { JournalSink } from '#src/runtime/journal/sink.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { advance, clientOf, endOf, rejects, row, said, settle, withManager } from '../session-kit.ts';
import { type Ctx, durable, resumed } from './journal-kit.ts';

/** A sink whose writes a test lets through, one after the other. */
function heldSink(extra: Partial<JournalSink> = {}) {
  const written: JournalLine[] = [];
  let passing = false;
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  const sink: JournalSink = {
    *append(lines, before): Operation<void> {
      if (!passing) {
        const gate = withResolvers<void>();
        waiting.push(gate);
        yield* gate.operation;
      }
      written.splice(before);
      written.push(...lines);
    },
    ...extra,
  };
  return {
    sink,
    written,
    waiting,
    /** From here on everything is written at once. */
    pass(): void {
      passing = true;
      for (const gate of waiting.splice(0)) gate.resolve();
    },
    *let(how: (gate: { resolve(): void; reject(error: Error): void }) => void): Operation<void> {
      yield* settle();
      const gate = waiting.shift();
      if (!gate) throw new Error('nothing is being written');
      how(gate);
      yield* settle();
    },
  };
}

const through = (gate: { resolve(): void }) => gate.resolve();

const asking = (seen: string[] = []) =>
  durable(function* (ctx: Ctx) {
    const { row } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    seen.push(`row ${row}`);
    yield* ctx.step('book', () => void seen.push('booked'));
    yield* ctx.elicit('seat', { message: 'Sure?' });
  });

describe('a journal that is written somewhere', () => {
  it(
    'is written before anything of it is seen, and an answer counts when it is durable',
    withManager(function* ({ manager }) {
      const { sink, written, let: pass } = heldSink();
      const seen: string[] = [];
      const session = yield* manager.create({
        tool: asking(seen),
        params: {},
        keep: function* () {
          return sink;
        },
      });
      yield* pass(through);
      expect(written.map(({ t }) => t)).toEqual(['open']);
      const acknowledged = yield* spawn(() => session.respond('elicit-1', row(3)));
      yield* settle();
      expect(seen).toEqual([]);
      expect(() => session.respond('elicit-1', row(4))).toThrow(/Answer that attempt/);
      yield* pass(through);
      yield* acknowledged;
      expect(seen).toEqual(['row 3']);
      // The step begins when that is written, and its result is given when that is.
      yield* pass(through);
      expect(seen).toEqual(['row 3', 'booked']);
      expect(session.openAsks()).toEqual([]);
      yield* pass(through);
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-2' }]);
      yield* pass(through);
      expect(written.map(({ t }) => t)).toEqual(['open', 'answer', 'step', 'stepped', 'open']);
    }),
  );

  it(
    'says that it is at work from where a step is about to begin until what came of it is written',
    withManager(function* ({ manager }) {
      const { sink, let: pass, pass: passAll } = heldSink();
      const tool = durable(function* (ctx: Ctx) {
        yield* all([
          ctx.elicit('seat', { message: 'Which row?' }),
          (function* () {
            yield* ctx.sample({ prompt: 'Begin?' });
            yield* ctx.step('book', () => 'booked');
          })(),
        ]);
      });
      const session = yield* manager.create({ tool, params: {}, keep: () => keep(sink) });
      yield* pass(through);
      yield* pass(through);
      expect(session.isAtWork(0)).toBe(false);
      session.respond('sample-1', said('yes'));
      yield* pass(through);
      // The line that the step begins with is on its way: nothing of it is in the journal yet.
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1' }]);
      expect(session.journal().lines.map(({ t }) => t)).not.toContain('step');
      expect(session.isAtWork(0)).toBe(true);
      yield* pass(through);
      expect(session.isAtWork(0)).toBe(true);
      yield* pass(through);
      expect(session.journal().lines.at(-1)).toMatchObject({ t: 'stepped' });
      expect(session.isAtWork(0)).toBe(false);
      passAll();
    }),
  );

  it(
    'has a wrong answer asked again, though writing it down takes longer than asking',
    withManager(function* ({ manager }) {
      const { sink, waiting, let: pass, pass: passAll } = heldSink();
      const session = yield* manager.create({
        tool: asking(),
        params: {},
        keep: function* () {
          return sink;
        },
      });
      yield* pass(through);
      const attempts: number[] = [];
      const client: Client = {
        name: 'a person who errs',
        capabilities: () => ({ elicitation: { form: true } }),
        can: ({ kind }) => kind === 'elicit',
        *elicit(ask) {
          attempts.push(ask.attempt);
          if (attempts.length > 2) yield* suspend();
          return attempts.length === 1 ? { action: 'accept', content: { row: 'none' } } : row(3);
        },
      };
      yield* spawn(() => drive(session, client, 'end'));
      for (let turn = 0; turn < 100 && attempts.length < 3; turn++) {
        yield* settle();
        if (waiting.length > 0) yield* pass(through);
      }
      passAll();
      expect(attempts).toEqual([1, 2, 1]);
    }),
  );

  it(
    'tells who answered when it cannot be written for 30 s, and asks on',
    withManager(function* ({ manager, clock }) {
      const sink = heldSink();
      const session = yield* manager.create({ tool: asking(), params: {}, keep: () => keep(sink.sink) });
      yield* sink.let(through);
      const answered = yield* spawn(() =>
        rejects(() => session.respond('elicit-1', row(3)), 'JOURNAL_WRITE'),
      );
      yield* sink.let((gate) => gate.reject(new Error('the disk is full')));
      yield* advance(clock, 31_000);
      yield* sink.let((gate) => gate.reject(new Error('the disk is full')));
      yield* answered;
      expect(session.openAsks()).toMatchObject([{ id: 'elicit-1' }]);
      yield* advance(clock, 1_000);
      session.respond('elicit-1', row(5));
      yield* sink.let(through);
      expect(sink.written).toMatchObject([{ t: 'open' }, { t: 'answer', answer: row(5) }]);
      sink.pass();
      yield* settle();
    }),
  );

  it(
    'asks whoever drives the call again where an answer of theirs could not be written',
    withManager(function* ({ manager, clock, diagnostics }) {
      const sink = heldSink();
      const seen: string[] = [];
      const session = yield* manager.create({ tool: asking(seen), params: {}, keep: () => keep(sink.sink) });
      yield* sink.let(through);
      let asked = 0;
      const client = clientOf({
        *elicit() {
          asked += 1;
          if (asked === 3) yield* suspend();
          return row(asked);
        },
      });
      yield* spawn(() => drive(session, client, 'end'));
      yield* sink.let((gate) => gate.reject(new Error('the disk is full')));
      yield* advance(clock, 31_000);
      yield* sink.let((gate) => gate.reject(new Error('the disk is full')));
      yield* advance(clock, 1_000);
      sink.pass();
      for (let turn = 0; turn < 5; turn++) yield* settle();
      expect(seen).toEqual(['row 2', 'booked']);
      expect(sink.written.filter(({ t }) => t === 'answer' || t === 'fail')).toMatchObject([{ t: 'answer' }]);
      expect(diagnostics).toMatchObject([{ message: 'probe client failed to stop answering' }]);
    }),
  );

  it(
    'that is optional is given up after one notice; a durable step does not start without it',
    withManager(function* ({ manager, diagnostics }) {
      const sink = heldSink({ optional: true });
      const session = yield* manager.create({ tool: asking(), params: {}, keep: () => keep(sink.sink) });
      yield* sink.let((gate) => gate.reject(new Error('read-only folder')));
      session.respond('elicit-1', row(3));
      expect(yield* endOf(session)).toMatchObject({ error: { code: 'JOURNAL_WRITE' } });
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'the call cannot be saved, so it continues without a journal',
      ]);
    }),
  );

  it(
    'ends the call here when another process has it now',
    withManager(function* ({ manager }) {
      const sink = heldSink();
      const seen: string[] = [];
      const session = yield* manager.create({ tool: asking(seen), params: {}, keep: () => keep(sink.sink) });
      yield* sink.let(through);
      const answered = yield* spawn(() => rejects(() => session.respond('elicit-1', row(3)), 'CLAIM_LOST'));
      yield* sink.let((gate) => gate.reject(new ClaimLostError({ callId: 'call_1' })));
      yield* answered;
      expect(session.ended()).toMatchObject({ error: { code: 'CLAIM_LOST' } });
      expect(seen).toEqual([]);
      expect(sink.written.map(({ t }) => t)).toEqual(['open']);
    }),
  );

  it('leaves nothing behind when the manager goes while it is being written', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    await withManager(function* ({ clock }) {
      const moving = yield* spawn(function* () {
        for (;;) yield* advance(clock, 1_000);
      });
      const held = heldSink();
      const sink: JournalSink = { append: (lines, before) => held.sink.append(lines, before) };
      yield* scoped(function* () {
        const manager = yield* createSessionManager();
        yield* manager.create({ tool: asking(), params: {}, keep: () => keep(sink) });
        yield* settle();
        expect(held.waiting).toHaveLength(1);
      });
      yield* moving.halt();
      for (let turn = 0; turn < 3; turn++) yield* settle();
    })();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it(
    'has no end when the call is put away: it goes on elsewhere',
    withManager(function* ({ manager }) {
      const lines: JournalLine[] = [];
      const sink: JournalSink = {
        *append(more) {
          lines.push(...more);
        },
      };
      let cleaned = 0;
      const tool = durable(function* (ctx: Ctx) {
        try {
          yield* ctx.elicit('seat', { message: '?' });
          yield* suspend();
        } finally {
          cleaned += 1;
        }
      });
      const session = yield* manager.create({ tool, params: {}, callId: 'c', keep: () => keep(sink) });
      const { header } = session.journal();
      yield* settle();
      expect(yield* manager.release({ callId: 'c' })).toBe(true);
      expect(cleaned).toBe(1);
      expect(manager.get({ callId: 'c' })).toBeUndefined();
      expect(lines.map(({ t }) => t)).toEqual(['open']);
      const again = yield* resumed(tool, { header, lines });
      expect(again.openAsks()).toHaveLength(1);
    }),
  );
});

function* keep(sink: JournalSink): Operation<JournalSink> {
  return sink;
}
