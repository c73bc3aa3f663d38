import { describe, expect, it } from 'vitest';
import { elsewhereText } from '#src/vscode/calls/list/elsewhere-text.ts';

const english = (message: string, ...values: string[]) =>
  message.replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');
const said = (...titles: string[]) =>
  elsewhereText(
    titles.map((title) => ({ title })),
    english,
  );

describe('what the Calls view says of calls that another window has', () => {
  it('is nothing where there are none', () => {
    expect(said()).toBe('');
  });

  it('names them, a few of many', () => {
    expect(said('Book a flight')).toBe('In another window on this folder: Book a flight');
    expect(said('One', 'Two')).toBe('2 calls in other windows on this folder: One, Two');
    expect(said('One', 'Two', 'Three', 'Four')).toBe(
      '4 calls in other windows on this folder: One, Two, Three, …',
    );
  });
});
