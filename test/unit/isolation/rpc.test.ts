import { ensure, type Operation, type Result, run, scoped, sleep, spawn, suspend, useScope } from 'effection';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { McpTimeoutError } from '#src/core/errors/call-errors.ts';
import { errorData } from '#src/core/errors/data/error-data.ts';
import { errorFromData } from '#src/core/errors/data/error-from-data.ts';
import { decode, encode } from '#src/isolation/wire/codec.ts';
import type { Handlers, WirePeer } from '#src/isolation/wire/contract.ts';
import { frame } from '#src/isolation/wire/frames.ts';
import { realmMethods } from '#src/isolation/wire/methods/realm-methods.ts';
import { sessionMethods } from '#src/isolation/wire/methods/session-methods.ts';
import { createRpc, type Rpc } from '#src/isolation/wire/rpc.ts';
import { createLinkedEnds } from './linked-ends.ts';

const here = {
  ask: { params: z.object({ about: z.string() }), result: z.string() },
  said: { params: z.string() },
};
const there = {
  work: { params: z.number(), result: z.number() },
  note: { params: z.string() },
  check: { params: z.string(), result: z.boolean() },
};
type Here = typeof here;
type There = typeof there;

interface Ends {
  readonly near: Rpc<There, Here>;
  readonly peer: WirePeer<There, Here>;
  readonly faults: string[];
}

/** Two ends; `serve` is what the far one does. */
function* useEnds(handlers: Handlers<There, Here>): Operation<Ends> {
  const scope = yield* useScope();
  const { session, realm } = createLinkedEnds();
  const faults: string[] = [];
  const fault = (message: string, cause: Error) => void faults.push(`${message}: ${cause.message}`);
  const common = { scope, fault };
  const near = createRpc({
    ...common,
    mine: here,
    theirs: there,
    numbers: 'odd',
    handlers: {},
    send: session.send,
  });
  const far = createRpc({
    ...common,
    mine: there,
    theirs: here,
    numbers: 'even',
    handlers,
    send: realm.send,
  });
  session.listen((text) => near.hear(text));
  realm.listen((text) => far.hear(text));
  return { near, peer: near.peer, faults };
}

const within = (test: () => Operation<void>) => () => run(() => scoped(test));

describe('a call to the other realm', () => {
  it(
    'gives what is done there',
    within(function* () {
      const { peer } = yield* useEnds({
        *work(n) {
          yield* sleep(0);
          return n * 2;
        },
      });
      expect(yield* peer.call('work', 21)).toBe(42);
    }),
  );

  it(
    'throws what is thrown there, as an error of its class',
    within(function* () {
      const { peer } = yield* useEnds({
        *work() {
          throw new McpTimeoutError({ what: 'the call', timeout: 5, cause: new RangeError('why') });
        },
      });
      let thrown: unknown;
      try {
        yield* peer.call('work', 1);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(McpTimeoutError);
      expect(thrown).toMatchObject({ code: 'TIMEOUT', cause: { name: 'RangeError', message: 'why' } });
    }),
  );

  it(
    'has calls of both ends within it, and they end with it',
    within(function* () {
      const said: string[] = [];
      const { peer } = yield* useEnds({
        *work(n, caller) {
          caller.tell('said', 'before');
          const answer = yield* caller.call(
            'ask',
            { about: 'n' },
            {
              note: (text) => void said.push(`noted ${text}`),
              *check(text) {
                return text === 'right';
              },
            },
          );
          caller.tell('said', `after ${answer}`);
          return n;
        },
      });
      const done = yield* peer.call('work', 7, {
        said: (text) => void said.push(text),
        *ask({ about }, asking) {
          asking.tell('note', about);
          const checked = [yield* asking.call('check', 'wrong'), yield* asking.call('check', 'right')];
          return checked.join();
        },
      });
      expect(done).toBe(7);
      expect(said).toEqual(['before', 'noted n', 'after false,true']);
    }),
  );

  it(
    'that is halted is halted there; who wants to hears when its cleanup has run',
    within(function* () {
      const log: string[] = [];
      const { peer } = yield* useEnds({
        *work(n, caller) {
          caller.onCancel(() => log.push(`${n} is cancelled`));
          yield* ensure(function* () {
            yield* sleep(5);
            log.push(`${n} is cleaned up`);
          });
          yield* suspend();
          return n;
        },
      });
      const waiting = yield* spawn(() => peer.call('work', 1));
      yield* sleep(5);
      yield* waiting.halt();
      const outcome = yield* heard<number>((listener) => {
        const made = peer.request('work', 2, listener);
        made.cancel(true);
      });
      expect(outcome.ok).toBe(false);
      expect(log).toEqual(['1 is cancelled', '2 is cancelled', '1 is cleaned up', '2 is cleaned up']);
    }),
  );

  it(
    'fails when the line is down, before and after',
    within(function* () {
      const { near, peer } = yield* useEnds({
        *work(n) {
          yield* suspend();
          return n;
        },
      });
      const outcomes: unknown[] = [];
      const hear = (outcome: Result<unknown>) => void outcomes.push(outcome.ok || outcome.error.message);
      peer.request('work', 1, hear);
      near.end(new Error('gone'));
      peer.request('work', 2, hear);
      expect(outcomes).toEqual(['gone', 'gone']);
    }),
  );

  it(
    'to what is not served, with what it does not take, or that gives what it must not, fails and harms no other',
    within(function* () {
      const { peer, faults, near } = yield* useEnds({
        *work(n) {
          return n === 1 ? ('no number' as never) : n;
        },
      });
      const failure = function* (method: 'work' | 'check', params: unknown) {
        const outcome = yield* heard((listener) => void peer.request(method, params as never, listener));
        return outcome.ok ? 'ok' : outcome.error.message;
      };
      expect(yield* failure('check', 'x')).toBe("'check' cannot be answered now");
      expect(yield* failure('work', 'x')).toMatch(/^work: /);
      expect(yield* failure('__proto__' as never, 1)).toBe("there is no '__proto__'");
      expect(() => near.hear(encode({ type: 'done', id: 8 }))).not.toThrow();
      expect(yield* peer.call('work', 2)).toBe(2);
      expect(faults).toEqual([]);
      const listener = (outcome: Result<unknown>) => void faults.push(String(outcome.ok));
      peer.request('work', 3, listener);
      expect(() => near.hear(encode({ type: 'done', id: 9, value: 'no number' }))).toThrow('Invalid input');
      expect(faults).toEqual(['false']);
    }),
  );
});

/** What a request's listener hears. */
function* heard<T>(request: (listener: (outcome: Result<T>) => void) => void): Operation<Result<T>> {
  let outcome: Result<T> | undefined;
  request((given) => {
    outcome = given;
  });
  while (!outcome) yield* sleep(1);
  return outcome;
}

describe('what a hostile realm sends', () => {
  const calls: unknown[] = [];
  const rpc = createRpc({
    mine: sessionMethods,
    theirs: realmMethods,
    numbers: 'odd',
    handlers: { diagnostic: (said) => void calls.push(said) },
    send: (text) => void calls.push(JSON.parse(text)),
    fault: () => {},
  });
  const number = fc.oneof(fc.integer({ min: -2, max: 6 }), fc.double(), fc.string());
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(sessionMethods), '__proto__', 'constructor', 'toString'),
    fc.string(),
  );
  const message = fc.record(
    {
      type: fc.constantFrom('call', 'tell', 'done', 'failed', 'halted', 'cancel', 'other'),
      id: number,
      within: number,
      method: name,
      params: fc.jsonValue(),
      value: fc.jsonValue(),
      error: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  );

  it('is refused or answered, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string(), message.map(encode)), (text) => {
        try {
          rpc.hear(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [{ type: 'call', id: 1, method: 'ask' }, '1 is no number for a call'],
    [{ type: 'tell', method: 'diagnostic', params: { message: 7 } }, 'diagnostic: message'],
    [{ type: 'tell', method: 'valueOf' }, "there is no 'valueOf'"],
    [{ type: 'done', id: -1 }, 'id'],
    [{ type: 'pong' }, 'type'],
  ])('%j is refused with what is wrong about it', (sent, problem) => {
    expect(() => rpc.hear(encode(sent))).toThrow(problem);
  });

  it('is refused when it is no text, or no JSON', () => {
    expect(decode(frame, { type: 'halted', id: 1 })).toMatchObject({
      error: new Error('a message is text, not object'),
    });
    expect(decode(frame, 'no json')).toMatchObject({ error: new Error('a message that is no JSON') });
  });

  it('with a form that is none is refused with its place', () => {
    const request = {
      message: 'x',
      requestedSchema: { type: 'object', properties: { a: { type: 'object' } } },
    };
    const ask = { depth: 0, subject: { kind: 'elicit', declared: true, request } };
    calls.length = 0;
    rpc.hear(encode({ type: 'call', id: 2, method: 'ask', params: ask }));
    expect(calls).toMatchObject([
      { type: 'failed', id: 2, error: { message: expect.stringContaining('ask: subject.request') } },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://example.com/pay',
    'https://bank.example@evil.example/',
    'command:workbench.action.quit',
    '',
    7,
    `https://example.com/${'a'.repeat(9_000)}`,
  ])('with a page that nobody is sent to is refused before anybody is asked: %j', (url) => {
    const request = { mode: 'url', message: 'Pay here.', url };
    const ask = { depth: 0, subject: { kind: 'elicit', declared: false, request } };
    calls.length = 0;
    rpc.hear(encode({ type: 'call', id: 4, method: 'ask', params: ask }));
    expect(calls).toMatchObject([
      { type: 'failed', id: 4, error: { message: expect.stringContaining('ask: subject.request') } },
    ]);
  });

  const text = { type: 'text', text: 'Say' };
  it.each([
    [[{ role: 'user', content: text }], true],
    [[{ role: 'user', content: [text, { type: 'image', data: 'AA', mimeType: 'image/png' }] }], true],
    [[{ role: 'assistant', content: { type: 'tool_use', id: '1', name: 'x', input: {} } }], true],
    [[{ role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [text] } }], true],
    [[{ role: 'user', content: { type: 'x-own', anything: 1 } }], true],
    [[{ role: 'system', content: text }], false],
    [[{ role: 'user' }], false],
    [[{ role: 'user', content: { type: 'text', text: 7 } }], false],
    [[{ role: 'user', content: [text, { type: 'image' }] }], false],
    [
      [{ role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [{ type: 'text' }] } }],
      false,
    ],
  ])('as messages for the model is looked at block by block: %j', (messages, fits) => {
    const params = { depth: 0, subject: { kind: 'sample', request: { messages, maxTokens: 5, extra: 1 } } };
    const read = sessionMethods.ask.params.safeParse(params);
    expect(read.success).toBe(fits);
    // In the order of fields in which they came.
    if (read.success) expect(JSON.stringify(read.data.subject)).toBe(JSON.stringify(params.subject));
  });
});

describe('an error', () => {
  it('brings a deep chain of causes', () => {
    let deep = new Error('0');
    for (let n = 1; n < 40; n++) deep = new Error(String(n), { cause: deep });
    const came = decode(frame, encode({ type: 'failed', id: 1, error: errorData(deep) }));
    expect(came.ok && came.value.type === 'failed' && errorFromData(came.value.error).message).toBe('39');
  });
});
