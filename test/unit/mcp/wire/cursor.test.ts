import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareKeys, pageOf } from '#src/mcp/wire/state/cursor.ts';

const names = ['ada', 'bob', 'cleo', 'dan', 'eve'];
const page = (items: readonly string[], cursor: unknown, size = 2, list = 'tools') =>
  pageOf(items, { list, cursor, size, key: (item) => item });

it('gives every item once, in order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (items, size) => {
        const sorted = [...items].sort(compareKeys);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const next = page(sorted, cursor, size);
          seen.push(...next.items);
          cursor = next.nextCursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(sorted);
      },
    ),
  );
});

it('goes on after the same name when items came and went meanwhile', () => {
  const { nextCursor } = page(names, undefined);
  expect(page(['ada', 'alf', 'cleo', 'zoe'], nextCursor).items).toEqual(['cleo', 'zoe']);
});

it('has no next page when nothing is left', () => {
  expect(page(names, undefined, 5)).toEqual({ items: names });
  expect(page([], undefined)).toEqual({ items: [] });
});

it('refuses a cursor of another list', () => {
  const { nextCursor } = page(names, undefined);
  expect(() => page(names, nextCursor, 2, 'prompts')).toThrow(expect.objectContaining({ code: -32602 }));
});

it('says of a cursor that it did not give what is wrong, and what to do; nothing of what is in it', () => {
  const forged = Buffer.from(JSON.stringify({ v: 1, list: 'tools', after: 'secret' })).toString('base64');
  expect(() => page(names, forged, 2, 'search secret')).toThrow(
    /^Invalid cursor: this list did not return it\. Start again without a cursor, and send each nextCursor back unchanged$/,
  );
});

it('refuses whatever it did not give', () => {
  const { nextCursor = '' } = page(names, undefined);
  const forged = [1, null, {}, '', 'bob', `${nextCursor}=`, ` ${nextCursor}`, `${nextCursor}AA`];
  for (const cursor of forged) {
    expect(() => page(names, cursor)).toThrow(expect.objectContaining({ code: -32602 }));
  }
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => page(names, cursor)).toThrow(expect.objectContaining({ code: -32602 }));
    }),
  );
});
