import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digest } from '#src/core/world/digest.ts';

const ofNode = (text: string) => hash('sha256', text, 'base64url');

it('a digest is the SHA-256 of its text, of any length', () => {
  for (let length = 0; length < 200; length++)
    expect(digest('a'.repeat(length))).toBe(ofNode('a'.repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(digest(text)).toBe(ofNode(text));
    }),
  );
  expect(digest('é'.repeat(1_000_000))).toBe(ofNode('é'.repeat(1_000_000)));
});
