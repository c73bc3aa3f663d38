import { describe, expect, it } from 'vitest';
import { backgroundColumn } from '#src/vscode/calls/notices/background-column.ts';

describe('a panel that nobody asked for', () => {
  it('opens beside the editor', () => {
    expect(backgroundColumn(1, [])).toBe('beside');
  });

  it('opens where another run panel is, if that is not where the person is', () => {
    expect(backgroundColumn(1, [{ column: 2, active: false, ended: false, asking: false }])).toBe(2);
  });

  it('takes the place of a call that is over', () => {
    expect(backgroundColumn(2, [{ column: 2, active: true, ended: true, asking: false }])).toBe(2);
  });

  it('never covers a question that the person may be answering, nor an editor', () => {
    expect(backgroundColumn(2, [{ column: 2, active: true, ended: false, asking: false }])).toBe('beside');
    expect(backgroundColumn(1, [{ column: 1, active: false, ended: true, asking: false }])).toBe('beside');
  });

  it('covers no other question, where there is another place', () => {
    const asking = { column: 2, active: false, ended: false, asking: true };
    expect(backgroundColumn(1, [asking, { column: 3, active: false, ended: true, asking: false }])).toBe(3);
    expect(backgroundColumn(1, [asking, { column: 1, active: true, ended: true, asking: false }])).toBe(1);
    expect(backgroundColumn(1, [asking])).toBe(2);
  });
});
