import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { defineError } from '#src/core/errors/define-error.ts';
import { ERROR_CLASSES, toError } from '#src/core/errors/errors.ts';
import {
  BranchTokensError,
  ElicitationDeclinedError,
  ElicitationModeError,
  errorData,
  errorFromData,
  isParleyError,
  McpCapabilityError,
  McpTimeoutError,
  NoModelError,
  ParleyError,
  SampleValidationError,
} from '#src/core/index.ts';

const overTheWire = (error: unknown) => errorFromData(JSON.parse(JSON.stringify(errorData(error))));

describe('an error of Parley', () => {
  it('carries a code, a name that survives minifying, facts and the cause', () => {
    const cause = new Error('socket closed');
    const error = new McpTimeoutError({ what: 'the call', timeout: 1500, cause });
    expect(error).toMatchObject({ code: 'TIMEOUT', name: 'McpTimeoutError', timeout: 1500, cause });
    expect(error.message).toBe(
      'the call took longer than its limit of 1.5 s. Try again, or raise the limit.',
    );
    expect(isParleyError(error)).toBe(true);
    expect(isParleyError(error, 'TIMEOUT')).toBe(true);
    expect(isParleyError(error, 'SAMPLING')).toBe(false);
  });

  it('is known by its shape, as another copy or realm makes it', () => {
    expect(isParleyError(Object.assign(new Error('x'), { code: 'TIMEOUT', details: undefined }))).toBe(true);
    expect(isParleyError(Object.assign(new Error('x'), { code: 'ENOENT', details: undefined }))).toBe(false);
    expect(isParleyError({ code: 'TIMEOUT', details: undefined })).toBe(false);
    const foreign: unknown = runInNewContext(
      "Object.assign(new Error('x'), { code: 'TIMEOUT', details: undefined })",
    );
    expect(foreign).not.toBeInstanceOf(Error);
    expect(isParleyError(foreign, 'TIMEOUT')).toBe(true);
    expect(toError(foreign)).toBe(foreign);
  });

  it('links the specification where the protocol has a mode that Parley has not', () => {
    expect(new ElicitationModeError({ mode: 'url' }).message).toContain(
      'https://modelcontextprotocol.io/specification/',
    );
  });

  it('says what was used and what was allowed', () => {
    expect(new BranchTokensError({ used: 120, allowed: 100 })).toMatchObject({ used: 120, allowed: 100 });
    expect(new BranchTokensError({ used: 120, allowed: 100 }).message).toContain('120 tokens of 100 allowed');
  });
});

describe('a defined error', () => {
  it('takes its cause and more details by name, beside facts that may be left out', () => {
    const SeatError = defineError(
      'SEAT',
      'SeatError',
      ({ seat, row = 1 }: { seat: string; row?: number }) => ({
        message: `seat ${seat} of row ${row}`,
        details: { seat },
      }),
    );
    const cause = new Error('taken');
    const error = new SeatError({ seat: 'A', cause, details: { by: 'Ada' } });
    expect(error).toMatchObject({ message: 'seat A of row 1', cause, details: { seat: 'A', by: 'Ada' } });
    expect('cause' in new SeatError({ seat: 'B' })).toBe(false);
  });

  it('says what is usual where it is given no message', () => {
    expect(new NoModelError().message).toContain('no language model is available');
    expect(new NoModelError('no key').message).toBe('no key');
  });
});

describe('an error as JSON', () => {
  it('comes back as what it was, for every code', () => {
    expect(ERROR_CLASSES.size).toBeGreaterThan(35);
    for (const [code, { prototype, name }] of ERROR_CLASSES) {
      const error = errorFromData({ code, name, message: `message of ${code}`, details: { a: [1] } });
      const back = overTheWire(error);
      expect(back).toMatchObject({ code, name, message: error.message, details: { a: [1] }, a: [1] });
      expect(back.stack).toBe(error.stack);
      expect(Object.getPrototypeOf(back)).toBe(prototype);
      expect(prototype.constructor.name).toBe(name);
    }
  });

  it('keeps what its class offers', () => {
    const answer = { role: 'assistant', content: { type: 'text', text: 'no' }, model: 'm' } as const;
    const back = overTheWire(
      new SampleValidationError({ attempts: 3, problem: 'no JSON', lastAnswer: answer }),
    );
    expect(back).toBeInstanceOf(SampleValidationError);
    expect(back).toMatchObject({ attempts: 3, problem: 'no JSON', lastAnswer: answer });
    expect(overTheWire(new McpCapabilityError({ toolName: 't', capability: 'sampling' }))).toMatchObject({
      capability: 'sampling',
    });
    expect(overTheWire(new ElicitationDeclinedError({ key: 'k' }))).toMatchObject({ key: 'k' });
  });

  it('keeps the chain of causes', () => {
    const root = Object.assign(new TypeError('root'), { code: 'ENOENT' });
    const back = overTheWire(
      new Error('top', { cause: new McpTimeoutError({ what: 'x', timeout: 1, cause: root }) }),
    );
    expect(back.message).toBe('top');
    expect(back.cause).toBeInstanceOf(McpTimeoutError);
    expect((back.cause as Error).cause).toMatchObject({ name: 'TypeError', message: 'root', code: 'ENOENT' });
  });

  it('keeps the errors of an AggregateError, and ends where they hold each other', () => {
    const inner = new McpTimeoutError({ what: 'x', timeout: 1 });
    const back = overTheWire(new AggregateError([inner, new TypeError('b'), 'text'], 'all failed'));
    expect(back).toBeInstanceOf(AggregateError);
    expect(back).toMatchObject({
      name: 'AggregateError',
      message: 'all failed: x took longer than its limit of 1 ms. Try again, or raise the limit.; b; text',
      errors: [{ code: 'TIMEOUT' }, { name: 'TypeError', message: 'b' }, { message: 'text' }],
    });
    const loop = new AggregateError([], 'loop');
    loop.errors.push(loop, inner);
    expect(errorData(loop).errors).toHaveLength(1);
    const wide = new AggregateError(Array.from({ length: 100_000 }, (_, n) => new Error(String(n))));
    expect(JSON.stringify(errorData(wide)).length).toBeLessThan(200_000);
  });

  it('ends where a chain of causes bites its tail, or has no end', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(errorData(one)).toMatchObject({ message: 'one', cause: { message: 'two' } });
    expect(errorData(one).cause?.cause).toBeUndefined();
    let long = new Error('0');
    for (let i = 1; i < 100_000; i++) long = new Error(String(i), { cause: long });
    expect(JSON.stringify(errorData(long)).length).toBeLessThan(200_000);
  });

  it.each([['text'], [7], [null], [undefined], [{ a: 1 }], [Object.create(null)], [Symbol('s')]])(
    'tells of %o, which is no error',
    (thrown) => {
      const data = errorData(thrown);
      expect(data.message).not.toBe('');
      expect(overTheWire(thrown)).toBeInstanceOf(Error);
    },
  );

  it.each<[string, unknown, string]>([
    [
      'an object with a message',
      { code: 5, message: 'no seats' },
      'something that is not an error was thrown: no seats',
    ],
    ['an object', { row: 5 }, 'something that is not an error was thrown: {"row":5}'],
    ['an error that says nothing', new RangeError(), 'RangeError without a message'],
    ['several errors and nothing else', new AggregateError([new Error('a'), 'b', new Error()]), 'a; b'],
    [
      'errors in errors',
      new AggregateError([new AggregateError([new Error('c')], 'in'), new Error('d')], 'out'),
      'out: in: c; d',
    ],
    [
      'many long errors with a message',
      new AggregateError(
        Array.from({ length: 7 }, () => new Error('x'.repeat(300))),
        'All promises were rejected',
      ),
      `All promises were rejected: ${Array(5).fill('x'.repeat(200)).join('; ')}; and 2 more`,
    ],
  ])('says what there is to say of %s', (_, thrown, message) => {
    expect(errorData(thrown).message).toBe(message);
    expect(errorData(overTheWire(thrown)).message).toBe(message);
  });

  it('tells of an error that throws when it is looked at, and of one whose message is no text', () => {
    const fails = (): never => {
      throw new Error('not for you');
    };
    const proxy = new Proxy({}, { get: fails, getPrototypeOf: fails, has: fails, ownKeys: fails });
    for (const field of ['name', 'message', 'cause', 'stack', 'code', 'details', 'errors']) {
      const error = Object.defineProperty(new Error('m'), field, { get: fails });
      expect(JSON.parse(JSON.stringify(errorData(error))).message).not.toBe('');
    }
    expect(errorData(proxy).message).toContain('cannot be read');
    expect(errorData(new AggregateError([proxy], 'all')).errors?.[0]?.message).toContain('cannot be read');
    const odd = Object.assign(new Error('m'), { message: 5, name: {} });
    expect(errorData(odd)).toMatchObject({ name: 'Error', message: expect.stringContaining('5') });
  });

  it('leaves out facts that JSON cannot carry', () => {
    const details: Record<string, unknown> = { a: 1 };
    details.self = details;
    expect(errorData(new ParleyError('VIEW', 'm', { details })).details).toBeUndefined();
  });
});
