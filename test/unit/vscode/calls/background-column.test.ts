import { describe, expect, it } from 'vitest';
import { backgroundColumn } from '#src/vscode/calls/notices/background-column.ts';

describe('a panel that nobody asked for', () => {
  it('opens beside the editor', () => {
    expect(backgroundColumn(1, [])).toBe('beside');
  });

  it('opens where another run panel is, if that is not where the person is', () => {
    expect(backgroundColumn(1, [{ column: 2, active: false, ended: false }])).toBe(2);
  });

  it('takes the place of a call that is over', () => {
    expect(backgroundColumn(2, [{ column: 2, active: true, ended: true }])).toBe(2);
  });

  it('never covers a question that the person may be answering, nor an editor', () => {
    expect(backgroundColumn(2, [{ column: 2, active: true, ended: false }])).toBe('beside');
    expect(backgroundColumn(1, [{ column: 1, active: false, ended: true }])).toBe('beside');
  });
});
