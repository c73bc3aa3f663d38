import { describe, expect, it } from 'vitest';
import { howToTell, type QuestionFacts } from '#src/vscode/calls/notices/how-to-tell.ts';

const unseen = { open: false, visible: false, closedByPerson: false };
const asked = (facts: Partial<QuestionFacts> = {}) =>
  howToTell({ location: 'auto', panel: unseen, notified: false, activeColumn: 1, panels: [], ...facts });

describe('a question of a call that others made', () => {
  it('opens its panel beside the editor, or where the other panels are', () => {
    const panels = [{ column: 3, active: false, ended: false, asking: false }];
    expect(asked()).toEqual({ opens: 'beside' });
    expect(asked({ panels })).toEqual({ opens: 3 });
    expect(asked({ panels, location: 'beside' })).toEqual({ opens: 'beside' });
  });

  it('never covers the active group where panels are to open there: a notification leads to it', () => {
    const location = 'active';
    expect(asked({ location })).toBe('notify');
    expect(asked({ location, panels: [{ column: 2, active: false, ended: true, asking: false }] })).toBe(
      'notify',
    );
    expect(asked({ location, panel: { ...unseen, open: true } })).toBe('notify');
  });

  it('is not told of twice, nor where it is seen', () => {
    for (const location of ['auto', 'beside', 'active'] as const) {
      expect(asked({ location, panel: { open: true, visible: true, closedByPerson: false } })).toBe(
        'nothing',
      );
      expect(asked({ location, notified: true, panel: { ...unseen, open: true } })).toBe('nothing');
    }
    expect(asked({ location: 'active', notified: true })).toBe('nothing');
  });

  it('opens no panel again that the person closed', () => {
    expect(asked({ panel: { ...unseen, closedByPerson: true } })).toBe('notify');
  });
});
