// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Stage, TimelineRow } from '#src/panel-port/index.ts';
import { snapshot } from '#src/panel-port/index.ts';
import { aForm, aQuestion, aSnapshot, aView, control, openPanel, type Panel } from './panel.tsx';

const name = { name: { type: 'string', title: 'Name' } };
const city = { city: { type: 'string', title: 'City' } };
const first = aForm(name, [], { message: 'Who are you?' });
const second = aForm(city, [], { id: 'q2', number: 2, message: 'Delete which city?' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A panel in which somebody types an answer to a question when another one takes its place. */
async function overtaken(between: readonly Stage[] = []): Promise<Panel> {
  const panel = await openPanel();
  await panel.show(first);
  later(3_000);
  await panel.user.type(control('Name'), 'Ada');
  for (const stage of between) await panel.show(stage);
  await panel.show(second);
  return panel;
}

describe('a question that takes the place of one in which somebody types', () => {
  for (const [what, between] of [
    ['at once', []],
    ['after a moment of work', [{ kind: 'running' }]],
  ] as const) {
    it(`takes none of the letters, nor the keys that would send them: ${what}`, async () => {
      const panel = await overtaken(between);
      expect(document.activeElement?.className).toContain('stage-question');
      await panel.user.keyboard(' Lovelace{Tab}x{Enter}{Control>}{Enter}{/Control}');
      expect(control('City').value).toBe('');
      expect(panel.said()).toEqual([]);
      expect(screen.getByText(/replaced another one/)).toBeDefined();
    });
  }

  it('is answered by whoever has paused, from Enter on', async () => {
    const panel = await overtaken();
    await panel.user.keyboard(' L');
    later(1_100);
    await panel.user.keyboard('{Enter}');
    expect(document.activeElement).toBe(control('City'));
    expect(panel.said()).toEqual([]);
    await panel.user.keyboard('Rome{Control>}{Enter}{/Control}');
    expect(panel.said()).toMatchObject([
      { name: 'answerForm', body: { questionId: 'q2', content: { city: 'Rome' } } },
    ]);
  });

  it('can be answered where the time of the machine was set back since it came', async () => {
    const panel = await overtaken();
    later(-24 * 3_600_000);
    await panel.user.type(control('City'), 'Rome');
    expect(control('City').value).toBe('Rome');
  });

  it('is not answered by the click that was on its way, and is by the next', async () => {
    const panel = await overtaken();
    fireEvent.click(screen.getByText(/^Submit/));
    fireEvent.click(screen.getByText('Decline'));
    expect(panel.said()).toEqual([]);
    later(1_100);
    fireEvent.click(screen.getByText('Decline'));
    expect(panel.said()).toMatchObject([{ name: 'decline', body: { questionId: 'q2' } }]);
  });

  it('gives its view no key either', async () => {
    const pressed: string[] = [];
    const Keys = () => (
      // biome-ignore lint/a11y/noAutofocus: what is tested
      <input aria-label="Key" autoFocus onKeyDown={({ key }) => pressed.push(key)} />
    );
    const panel = await openPanel({ views: { Keys } });
    await panel.show(first);
    later(3_000);
    await panel.user.type(control('Name'), 'Ada');
    const view = aView('Keys');
    if (view.kind !== 'question') throw new Error('a view is a question');
    await panel.show(aQuestion(view.question.body, { id: 'q2', number: 2 }));
    await panel.user.keyboard('yn{Enter}');
    expect(pressed).toEqual([]);
    later(1_100);
    await panel.user.type(screen.getByLabelText('Key'), 'y');
    expect(pressed).toContain('y');
  });

  it('is not held up where the one before was answered here, or was gone for long', async () => {
    for (const [send, wait] of [
      ['{Enter}', 10],
      ['', 6_000],
    ] as const) {
      const panel = await openPanel();
      await panel.show(first);
      await panel.user.type(control('Name'), `Ada${send}`);
      await panel.show({ kind: 'running' });
      later(wait);
      await panel.show(second);
      expect(document.activeElement).toBe(control('City'));
      expect(screen.queryByText(/replaced another one/)).toBeNull();
      document.body.replaceChildren();
    }
  });

  it('is not held up where the handler of the one before was at work on its answer', async () => {
    const Board = ({ onRespond }: { onRespond(value: number): void }) => (
      <button type="button" onClick={() => onRespond(5)}>
        Move
      </button>
    );
    const panel = await openPanel({ views: { Board } });
    await panel.show(aView('Board'));
    await panel.user.click(screen.getByText('Move'));
    await panel.show(aQuestion({ kind: 'busy' }));
    await panel.show({ kind: 'running' });
    const next = { id: 'q2', number: 2, message: 'Your move' };
    await panel.show(aQuestion({ kind: 'view', view: { key: 'Board' }, renderId: 'r2', props: {} }, next));
    expect(document.activeElement).toBe(screen.getByText('Move'));
    await panel.user.keyboard('{Enter}');
    expect(panel.said()).toMatchObject([{ name: 'viewResponse' }, { name: 'viewResponse' }]);
  });

  it('is not held up where the person goes on with the new version of its tool', async () => {
    const panel = await openPanel();
    const actions = [{ id: 'continue', label: 'Continue with the New Version' }];
    await panel.show(first, { pause: { message: 'Its file was saved.', actions } });
    await panel.user.click(screen.getByText('Continue with the New Version'));
    await panel.show({ kind: 'running' });
    await panel.show(second);
    expect(screen.queryByText(/replaced another one/)).toBeNull();
    await panel.user.type(control('City'), 'Rome{Enter}');
    expect(panel.said()).toMatchObject([{ name: 'pressAction' }, { name: 'answerForm' }]);
  });

  it('is not held up where the one before was answered in another place, unless somebody typed here', async () => {
    for (const typed of ['', 'Ada']) {
      const panel = await openPanel();
      await panel.show(first);
      if (typed !== '') await panel.user.type(control('Name'), typed);
      const row = { index: 1, time: 0, type: 'question', id: 'q1', number: 1, message: 'Who?' } as const;
      await panel.hear(snapshot({ ...aSnapshot(second), version: 9, rows: [{ ...row, state: 'accept' }] }));
      expect(screen.queryByText(/replaced another one/) === null).toBe(typed === '');
      document.body.replaceChildren();
    }
  });

  it('is not held up where the person went back to it', async () => {
    const panel = await openPanel();
    await panel.show(aForm(city, [], { id: 'q2', number: 2, back: 'q1' }));
    await panel.user.click(screen.getByText('Back'));
    await panel.show(first);
    expect(document.activeElement).toBe(control('Name'));
  });
});

describe('what was put into a question that went away', () => {
  it('is shown, can be copied, and goes when it is not needed', async () => {
    const panel = await overtaken();
    expect(screen.getByText('Not sent: your draft for question 1')).toBeDefined();
    expect(screen.getByText('Ada').closest('dl')?.textContent).toBe('NameAda');
    later(1_100);
    await panel.user.click(screen.getByText('Copy'));
    expect(panel.said()).toMatchObject([{ name: 'copy', body: { text: 'Ada' } }]);
    await panel.user.click(screen.getByText('Dismiss'));
    expect(screen.queryByText('Ada')).toBeNull();
    expect(JSON.stringify(panel.memory.state)).not.toContain('Ada');
  });

  it('is there when the panel was hidden meanwhile, and when the call is over', async () => {
    const memory = { state: undefined };
    const panel = await openPanel({ memory });
    await panel.show(first);
    await panel.user.type(control('Name'), 'Ada');
    document.body.replaceChildren();
    const again = await openPanel({ memory });
    const row = {
      index: 1,
      time: 0,
      type: 'question',
      id: 'q1',
      number: 1,
      message: 'Who are you?',
    } as const;
    const ended = aSnapshot({ kind: 'aborted', reason: 'why' });
    const rows: TimelineRow[] = [{ ...row, state: 'withdrawn' }];
    await again.hear(snapshot({ ...ended, rows }));
    expect(screen.getByText('Ada')).toBeDefined();
    document.body.replaceChildren();
    const third = await openPanel({ memory });
    await third.hear(snapshot({ ...ended, rows }));
    expect(screen.getByText('Ada')).toBeDefined();
    const other = { ...ended.head.call, callId: 'c2' };
    await third.hear(snapshot({ ...ended, head: { ...ended.head, call: other } }));
    expect(screen.queryByText('Ada')).toBeNull();
  });

  it('is there once, though a browser tells of fields that are gone that they lost the keyboard', async () => {
    const panel = await openPanel();
    await panel.show(first);
    await panel.user.type(control('Name'), 'Ada');
    await panel.show({ kind: 'running' });
    panel.page.drafts.write('question q1', 'form', { raw: { name: 'Ada' }, left: ['name'], checked: false });
    const asked = {
      index: 1,
      time: 0,
      type: 'question',
      id: 'q1',
      number: 1,
      message: 'Who are you?',
    } as const;
    await panel.append({ ...asked, state: 'withdrawn' });
    await panel.show(second);
    expect(screen.getAllByText('Ada')).toHaveLength(1);
  });

  it('is in the field again when its question is shown again', async () => {
    const panel = await overtaken();
    await panel.show(first);
    expect(control('Name').value).toBe('Ada');
    expect(screen.queryByText(/Not sent/)).toBeNull();
  });

  it('is filled in where another question has the same form, beside what is there', async () => {
    const panel = await openPanel();
    const both = { ...name, ...city };
    await panel.show(aForm(both));
    await panel.user.type(control('Name'), 'Ada');
    await panel.user.type(control('City'), 'Rome');
    await panel.show(second);
    expect(screen.queryByText('Insert')).toBeNull();
    await panel.show(aForm(both, [], { id: 'q3', number: 3, message: 'Who is next?' }));
    later(6_000);
    await panel.user.type(control('City'), 'Oslo');
    await panel.user.click(screen.getByText('Insert'));
    expect([control('Name').value, control('City').value]).toEqual(['Ada', 'Oslo']);
    expect(document.activeElement).toBe(control('Name'));
    expect(screen.queryByText(/Not sent/)).toBeNull();
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toMatchObject([
      { name: 'answerForm', body: { content: { name: 'Ada', city: 'Oslo' } } },
    ]);
  });

  it('is not shown where it is a secret, and is nothing where it was sent', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ password: { type: 'string', title: 'Password' } }));
    await panel.user.type(control('Password'), 'letmein');
    await panel.show({ kind: 'running' });
    expect(screen.getByText('***')).toBeDefined();
    expect(screen.queryByText('letmein')).toBeNull();
    document.body.replaceChildren();
    const sent = await openPanel();
    await sent.show(first);
    await sent.user.type(control('Name'), 'Ada{Enter}');
    await sent.show({ kind: 'running' });
    expect(screen.queryByText(/Not sent/)).toBeNull();
  });
});
