import { action, ensure, race, sleep, spawn, suspend, useScope } from 'effection';
import { describe, expect, it } from 'vitest';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { endOf, row, tool, withManager } from './session-kit.ts';

/** Begins to abort, as a listener does that is no operation. */
const abortNow = (session: Session | undefined) => session?.abort()[Symbol.iterator]().next();

describe('halting a call that waits', () => {
  it(
    'runs each cleanup once: of its try blocks, and of what it ensured behind its first answer',
    withManager(function* ({ manager }) {
      for (const answers of [0, 1]) {
        const log: string[] = [];
        const code = tool(function* (ctx) {
          try {
            yield* ctx.elicit('seat', { message: '?' });
            log.push('opened');
            yield* ensure(() => void log.push('closed'));
            yield* ctx.elicit('seat', { message: '??' });
            log.push('never');
          } finally {
            log.push('left');
          }
        });
        const session = yield* manager.create({ tool: code, params: {} });
        if (answers > 0) {
          yield* session.respondToElicit('elicit-1', row(1));
          yield* eventLoopTurn();
        }
        yield* session.abort();
        yield* session.abort();
        expect(log).toEqual(answers > 0 ? ['opened', 'left', 'closed'] : ['left']);
      }
    }),
  );

  it(
    'in the turn of its answer, leaves the answer aside',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      const code = tool(function* (ctx) {
        try {
          yield* ctx.elicit('seat', { message: '?' });
          yield* ctx.elicit('seat', { message: '??' });
          log.push('went on');
        } finally {
          log.push('left');
        }
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const answering = yield* spawn(() => session.respondToElicit('elicit-1', row(1)));
      abortNow(session);
      yield* session.abort();
      yield* answering.halt();
      yield* eventLoopTurn();
      expect(log).toEqual(['left']);
      expect(session.status()).toBe('aborted');
    }),
  );

  it(
    'in the turn of its creation, closes what it opened before it could ensure that',
    withManager(function* ({ manager, diagnostics }) {
      for (const then of ['waits', 'asks', 'returns'] as const) {
        const log: string[] = [];
        const code = tool(function* (ctx) {
          log.push('opened');
          yield* ensure(function* () {
            yield* sleep(0);
            log.push('closed');
          });
          if (then === 'waits') yield* suspend();
          if (then === 'asks') yield* ctx.elicit('seat', { message: '?' });
        });
        const session = yield* manager.create({ tool: code, params: {} });
        yield* session.abort();
        expect(log).toEqual(['opened', 'closed']);
        expect(session.events().at(-1)).toMatchObject({ type: 'aborted' });
        expect(session.openAsks()).toEqual([]);
      }
      expect(diagnostics).toEqual([]);
    }),
  );

  it(
    'in the turn of its creation, reports a cleanup that fails',
    withManager(function* ({ manager, diagnostics }) {
      const code = tool(function* () {
        yield* ensure(() => {
          throw new Error('cannot close');
        });
        yield* suspend();
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.abort();
      expect(diagnostics).toMatchObject([
        { message: 'cleanup failed', cause: expect.objectContaining({ message: 'cannot close' }) },
      ]);
    }),
  );

  it(
    'by its own code, ends it at its next wait',
    withManager(function* ({ manager }) {
      const log: string[] = [];
      let session: Session | undefined;
      manager.subscribe((event) => {
        if (event.type === 'started') session = event.session;
      });
      const code = tool(function* () {
        try {
          yield* useScope();
          abortNow(session);
          log.push('its own code runs on');
          yield* action(() => () => log.push('waits no more'), 'for ever');
          log.push('never');
        } finally {
          log.push('left');
        }
      });
      const made = yield* manager.create({ tool: code, params: {} });
      yield* made.abort();
      expect(log).toEqual(['its own code runs on', 'left', 'waits no more']);
    }),
  );
});

describe('halting a branch in its first moment', () => {
  it.each(['by its own code', 'in the same turn', 'by a sibling'])(
    'leaves it and goes no further: %s',
    (how) =>
      withManager(function* ({ manager }) {
        const log: string[] = [];
        let session: Session | undefined;
        const code = tool(function* (ctx) {
          yield* ctx.elicit('seat', { message: '?' });
          const branch = function* () {
            yield* ctx.branch(function* () {
              try {
                if (how === 'by its own code') abortNow(session);
                if (how === 'in the same turn') queueMicrotask(() => abortNow(session));
                yield* suspend();
              } finally {
                log.push('left');
              }
            });
            log.push('went on');
          };
          yield* how === 'by a sibling' ? race([branch(), eventLoopTurn()]) : branch();
          log.push('behind it');
        });
        session = yield* manager.create({ tool: code, params: {} });
        yield* session.respondToElicit('elicit-1', row(1));
        yield* endOf(session);
        yield* session.abort();
        expect(log).toEqual(how === 'by a sibling' ? ['left', 'behind it'] : ['left']);
      })(),
  );
});

describe('answering a call that waits', () => {
  it(
    'twice in one turn counts the first answer, also where the code has not gone on yet',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        const first = yield* ctx.elicit('seat', { message: '?' });
        const second = yield* ctx.elicit('seat', { message: '??' });
        return [first, second].map((said) => (said.action === 'accept' ? said.content.row : said.action));
      });
      const session = yield* manager.create({ tool: code, params: {} });
      const answering = session.respondToElicit('elicit-1', row(1));
      expect(() => session.respondToElicit('elicit-1', row(2))).toThrow('is closed');
      yield* answering;
      yield* eventLoopTurn();
      yield* session.respondToElicit('elicit-2', row(3));
      expect(yield* endOf(session)).toMatchObject({ type: 'result', value: [1, 3] });
    }),
  );

  it(
    'fails the call with what its code throws then',
    withManager(function* ({ manager }) {
      const code = tool(function* (ctx) {
        yield* ctx.elicit('seat', { message: '?' });
        throw new TypeError('no such seat');
      });
      const session = yield* manager.create({ tool: code, params: {} });
      yield* session.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session)).toMatchObject({
        type: 'error',
        error: { name: 'TypeError', message: 'no such seat' },
      });
    }),
  );
});
