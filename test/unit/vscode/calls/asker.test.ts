import { describe, expect, it } from 'vitest';
import { asSaid, shownAsker } from '#src/vscode/calls/asker.ts';

describe('who asked for a call', () => {
  it('is not shown where it is the person', () => {
    expect(shownAsker({ kind: 'person' })).toBeUndefined();
  });

  it('is shown by the name that the person gave, with what it says of itself apart', () => {
    expect(shownAsker({ kind: 'client', name: 'Cursor', says: 'claude 1' })).toEqual({
      name: 'Cursor',
      icon: 'plug',
      says: 'claude 1',
    });
  });

  it('says of itself one short line, in which all can be seen', () => {
    expect(asSaid('a\nb\u202e\u200bc   d')).toBe('a b c d');
    expect(Array.from(asSaid('💥'.repeat(10_000)))).toHaveLength(61);
    expect(asSaid('\u0000')).toBe('');
  });
});
