import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileUriTemplate } from '#src/core/served/uri-template.ts';

const one = compileUriTemplate('notes://{name}');
const rest = compileUriTemplate('notes://{+name}');

it('takes one segment, decoded', () => {
  expect(one.match('notes://a%20b')).toEqual({ name: 'a b' });
  expect(one.match('notes://..a')).toEqual({ name: '..a' });
  expect(one.match('notes://a/b')).toBeUndefined();
});

it.each(['..%2f..%2fx', '%2e%2e', '..', '.', '%2E', 'a%2Fb', 'a%5cb', '%00', 'a%00.txt', '%'])(
  'takes nothing for one segment that is none once it is decoded: %s',
  (name) => {
    expect(one.match(`notes://${name}`)).toBeUndefined();
  },
);

it('hands over the rest as it is, which is for its author to check', () => {
  expect(rest.match('notes://a/..%2f..%2fx')).toEqual({ name: 'a/../../x' });
});

it('never gives a segment that leads out of a folder', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('.', '/', '\\', '%2f', '%5C', '%2e', '%00', 'a') }),
      (name) => {
        const found = one.match(`notes://${name}`)?.name;
        if (found === undefined) return;
        expect(found).not.toMatch(/[/\\\0]/);
        expect(['.', '..']).not.toContain(found);
      },
    ),
  );
});

/** What an expression would match, which is right and slow. */
function byExpression(template: string): RegExp {
  const pattern = template
    .replace(/[.*?^$()|[\]\\]/g, '\\$&')
    .replace(/\{\+\w+\}/g, '(.+)')
    .replace(/\{\w+\}/g, '([^/?#]+)');
  return new RegExp(`^${pattern}$`);
}

it('takes what an expression would take, each variable as much as it can', () => {
  const piece = fc.constantFrom('{', '{+', 'a', '/', 'b/', '?', 'ab');
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 7 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '/', '?', 'ab', '\n', '\r', '\u2028'), maxLength: 14 }),
      (pieces, uri) => {
        const template = `x:${pieces.map((one, at) => (one.startsWith('{') ? `${one}v${at}}` : one)).join('')}`;
        if (!template.includes('{')) return;
        const found = byExpression(template).exec(`x:${uri}`);
        const made = compileUriTemplate(template).match(`x:${uri}`);
        expect(made && Object.values(made)).toEqual(found ? found.slice(1) : undefined);
      },
    ),
    { numRuns: 2_000 },
  );
});

it.each([
  ['x:{+a}/{+b}/{+c}/{+d}/{+e}!', `x:${'/'.repeat(8_000)}`],
  ['x:{+a}{+b}{+c}{+d}{+e}!', `x:${'a'.repeat(8_000)}`],
  ['x:{a}{b}{c}{d}{e}{f}!', `x:${'a'.repeat(8_000)}`],
  [`x:${Array.from({ length: 50 }, (_, at) => `{+v${at}}`).join('')}!`, `x:${'a'.repeat(8_000)}`],
])('looks at a long URI once a variable, not at every way to share it: %s', (template, uri) => {
  const compiled = compileUriTemplate(template);
  // An expression takes years.
  expect(compiled.match(uri)).toBeUndefined();
  expect(compiled.match(`${uri}!`)).toBeDefined();
});

it('has no more variables than anybody fills in', () => {
  const many = Array.from({ length: 51 }, (_, at) => `{v${at}}`).join('/');
  expect(() => compileUriTemplate(`x:${many}`)).toThrow('it has more than 50 variables');
});
