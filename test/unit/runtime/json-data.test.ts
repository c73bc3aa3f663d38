import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson, toLoggedJson, toResultJson } from '#src/runtime/data/json-data.ts';

describe('data as JSON', () => {
  it('is the same after a trip as text, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withMap: true, withBigInt: true, withNullPrototype: true }),
        (value) => {
          const logged = toLoggedJson(value);
          if (logged !== undefined) expect(JSON.parse(JSON.stringify(logged))).toEqual(logged);
          const strict = toJson(value);
          if (strict.ok && strict.value !== undefined) {
            expect(JSON.parse(JSON.stringify(strict.value))).toEqual(strict.value);
          }
        },
      ),
    );
  });

  it('is what JSON.stringify makes of it, where that loses nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toJson(value);
        expect(json.ok && JSON.stringify(json.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('has one zero', () => {
    expect(toJson([-0])).toEqual({ ok: true, value: [0] });
  });

  it('is a copy: what changes later is not in it', () => {
    const list = [{ n: 1 }];
    const json = toJson(list);
    list[0] = { n: 2 };
    expect(json).toEqual({ ok: true, value: [{ n: 1 }] });
  });

  it.each<[string, unknown, RegExp]>([
    ['a function', { a: { b: () => 1 } }, /^a\.b is a function/],
    ['a symbol', [Symbol('x')], /^\[0\] is a symbol/],
    ['a bigint', 1n, /^the value is a bigint/],
    ['NaN', { n: Number.NaN }, /^n is NaN/],
    ['a Map', { m: new Map() }, /^m is a Map/],
    ['bytes', { m: new Uint8Array(2) }, /^m is a Uint8Array/],
    ['bytes without a view', [new ArrayBuffer(2)], /^\[0\] is an ArrayBuffer/],
    ['a promise', { seats: Promise.resolve(1) }, /^seats is a Promise/],
    ['what has no fields to show', { query: new URLSearchParams('a=1') }, /^query is a URLSearchParams/],
    ['a pattern', [/x/], /^\[0\] is a RegExp/],
    ['a date that is none', { at: new Date(Number.NaN) }, /^at is an invalid Date/],
  ])('is refused for %s, naming the place', (_, value, problem) => {
    expect(toJson(value)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  });

  it('is refused for what is part of itself, or endlessly deep', () => {
    const self: Record<string, unknown> = {};
    self.me = self;
    expect(toJson(self)).toMatchObject({ ok: false, problem: expect.stringContaining('part of itself') });
    const shared = { n: 1 };
    expect(toJson([shared, shared])).toEqual({ ok: true, value: [{ n: 1 }, { n: 1 }] });
    let deep: unknown = 'core';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(toJson(deep)).toMatchObject({ ok: false, problem: expect.stringContaining('deep') });
    expect(JSON.stringify(toLoggedJson(deep))).toContain('nested more than');
  });

  it('is refused for what throws when it is read, with the place, what was thrown and where', () => {
    const thrown = new Error('no such field');
    const fails = (): never => {
      throw thrown;
    };
    for (const [value, problem] of [
      [
        {
          list: [
            {
              get seat() {
                return fails();
              },
            },
          ],
        },
        'list[0].seat is unreadable (no such field), which is not JSON',
      ],
      [{ list: [{ toJSON: fails }] }, 'list[0] is unreadable (no such field), which is not JSON'],
      [
        { list: [new Proxy({}, { ownKeys: fails })] },
        'list[0] is unreadable (no such field), which is not JSON',
      ],
    ] as const) {
      expect(toJson(value)).toEqual({ ok: false, problem, cause: thrown });
      expect(toLoggedJson({ ...value, more: 1 })).toMatchObject({ more: 1 });
    }
  });

  it('is the text, number or boolean that an object wraps', () => {
    expect(toJson([Object('a'), Object(1), Object(false)])).toEqual({ ok: true, value: ['a', 1, false] });
  });

  it('is the fields of an instance of a class, also where it says what it is', () => {
    class Seat {
      readonly row = 1;
      get [Symbol.toStringTag](): string {
        return 'Seat';
      }
    }
    expect(toJson(new Seat())).toEqual({ ok: true, value: { row: 1 } });
  });

  it('cannot forge a prototype', () => {
    const hostile = JSON.parse('{"__proto__": {"admin": true}}') as object;
    const json = toJson(hostile);
    expect(json.ok && JSON.stringify(json.value)).toBe('{"__proto__":{"admin":true}}');
    expect(json.ok && (json.value as { admin?: boolean }).admin).toBeUndefined();
  });

  it('drops functions of a result, and nothing else that matters', () => {
    expect(toResultJson({ a: 1, again: () => 2 })).toEqual({ ok: true, value: { a: 1 } });
    expect(toResultJson(() => 1)).toEqual({ ok: true, value: undefined });
    expect(toResultJson({ a: 1n })).toMatchObject({ ok: false });
  });
});
