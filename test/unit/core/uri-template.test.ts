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
