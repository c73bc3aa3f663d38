import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isJson } from '#src/panel-port/index.ts';

it('accepts whatever JSON.parse gives', () => {
  fc.assert(fc.property(fc.json(), (text) => isJson(JSON.parse(text))));
});

it('refuses what JSON cannot say', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  for (const value of [
    undefined,
    Number.NaN,
    Infinity,
    1n,
    () => 1,
    Symbol('s'),
    new Date(),
    new Map(),
    cycle,
  ]) {
    expect(isJson(value)).toBe(false);
    expect(isJson({ inside: [value] })).toBe(false);
  }
});

it('accepts one value in two places', () => {
  const shared = { a: 1 };
  expect(isJson([shared, shared, { shared }])).toBe(true);
});

it('walks a value too deep for recursion', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 200_000; depth++) value = [value];
  expect(isJson(value)).toBe(true);
});
