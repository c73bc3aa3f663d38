import { describe, expect, test } from 'vitest';
import { DrawnPages } from '#src/vscode/calls/notices/drawn-pages.ts';

describe('a page that the chat has drawn', () => {
  const drawn = new DrawnPages();
  drawn.add('ask_user', 100_000);

  test('may be of a call that began before it was drawn, or a moment later', () => {
    expect(drawn.has('ask_user', 99_000)).toBe(true);
    expect(drawn.has('ask_user', 101_900)).toBe(true);
  });

  test('is of no call that began long after it, and of no other tool', () => {
    expect(drawn.has('ask_user', 103_000)).toBe(false);
    expect(drawn.has('book_flight', 99_000)).toBe(false);
  });

  test('is the last one of its tool', () => {
    drawn.add('ask_user', 200_000);
    expect(drawn.has('ask_user', 201_000)).toBe(true);
  });
});
