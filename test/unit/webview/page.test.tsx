// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { patch, refused, snapshot } from '#src/panel-port/index.ts';
import { aForm, aLog, aSnapshot, control, openPanel } from './panel.tsx';

const name = { name: { type: 'string', title: 'Name' } };

describe('the port', () => {
  it('says ready at once', async () => {
    const panel = await openPanel();
    expect(panel.posted).toMatchObject([{ name: 'ready', body: {} }]);
  });

  it('ignores what is not ours and reports what is malformed, and the page stays', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.hear({ type: 'webpackOk' });
    expect(panel.said()).toEqual([]);
    await panel.hear({ parley: 'parley/1', name: 'snapshot', body: { version: 'x' } });
    expect(panel.said()).toMatchObject([
      { name: 'pageProblem', body: { message: expect.stringContaining('snapshot') } },
    ]);
    expect(control('Name')).toBeDefined();
  });

  it('asks for a snapshot when it has lost step', async () => {
    const panel = await openPanel();
    await panel.hear(patch({ from: 1, version: 2, rows: [aLog(1)] }));
    await panel.show({ kind: 'running' });
    await panel.hear(patch({ from: 7, version: 8, rows: [aLog(1)] }));
    expect(panel.posted.slice(1)).toMatchObject([
      { name: 'ready', body: {} },
      // Which call it is of, for the next window.
      { name: 'keep', body: { memory: { call: 'c1' } } },
      { name: 'ready', body: { lastVersion: 1 } },
    ]);
    expect(screen.queryByText('log 1')).toBeNull();
    await panel.hear(snapshot({ ...aSnapshot({ kind: 'running' }), version: 8, rows: [aLog(1)] }));
    expect(screen.getByText('log 1')).toBeDefined();
  });
});

describe('a call that does not simply go on', () => {
  it('says why, above what it asks, and offers what can be done about it', async () => {
    const panel = await openPanel();
    const actions = [{ id: 'continue', label: 'Continue', primary: true }];
    await panel.show(aForm(name), { pause: { message: 'Copilot is gone.', actions } });
    expect(screen.getByText('Copilot is gone.')).toBeDefined();
    expect(control('Name')).toBeDefined();
    await panel.user.click(screen.getByText('Continue'));
    expect(panel.said()).toMatchObject([{ name: 'pressAction', body: { id: 'continue' } }]);
  });
});

describe('the header', () => {
  it('says where the call stands and offers Stop while it can be stopped', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    expect(screen.getByText('Waiting for you')).toBeDefined();
    await panel.user.click(screen.getByText('Stop'));
    expect(panel.said()).toMatchObject([{ name: 'stop' }]);
    await panel.show({ kind: 'result', value: null });
    expect(screen.getByText('Done in 3.0 s')).toBeDefined();
    expect(screen.queryByText('Stop')).toBeNull();
  });

  it('counts by the host’s clock, which may differ from ours', async () => {
    const panel = await openPanel();
    const openedAt = 1_000_000;
    await panel.show(aForm(name, [], { openedAt }), {
      clock: { now: openedAt + 72_000, machine: { total: 0 }, human: { total: 0 } },
    });
    expect(screen.getByText('1 min 12 s')).toBeDefined();
  });

  it.each([
    ['completed', 'Done in 5.0 s'],
    ['failed', 'Failed4 min 7 s'],
  ] as const)(
    'says how long a call took that %s, and on hover for how long it waited',
    async (status, text) => {
      const panel = await openPanel();
      const call = { callId: 'c1', toolName: 'book', title: 'Book', status } as const;
      await panel.show(
        { kind: 'result', value: 1 },
        {
          call: { ...call, startedAt: 1_000_000, endedAt: 1_247_000 },
          clock: { now: 2_000_000, machine: { total: 5_000 }, human: { total: 242_000 } },
        },
      );
      expect(document.querySelector('.status')?.textContent).toBe(text);
      expect(document.querySelector('.status [title]')?.getAttribute('title')).toContain('4 min 2 s');
    },
  );
});

describe('the timeline', () => {
  it('grows without touching the keyboard, what is typed, or the rows that were there', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.type(control('Name'), 'Ad');
    const first = document.querySelector('.row');
    for (let at = 1; at <= 600; at += 20) {
      await panel.append(...Array.from({ length: 20 }, (_, offset) => aLog(at + offset)));
    }
    expect(document.activeElement).toBe(document.querySelector('[data-control]'));
    await panel.user.keyboard('a');
    expect(control('Name').value).toBe('Ada');
    expect(document.querySelectorAll('.row')).toHaveLength(500);
    expect(document.contains(first)).toBe(false);
    expect(screen.getByText('log 600')).toBeDefined();
    expect(screen.getByText('101 older entries are not shown.')).toBeDefined();
  });

  it('updates a row in its place, and has no row beside the progress of the stage', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    const progress = { index: 1, time: 0, type: 'progress', message: 'fares', total: 4 } as const;
    await panel.append({ ...progress, value: 1 }, aLog(2));
    await panel.append({ ...progress, value: 3 });
    expect(document.querySelector('.stage-message')?.textContent).toBe('fares 3 of 4');
    expect(document.querySelector('.row-progress')).toBeNull();
    await panel.append({ ...progress, value: 4, done: true });
    expect(document.querySelector('.row-progress .row-content')?.textContent).toBe('fares');
    await panel.append({ index: 3, time: 0, type: 'progress', message: 'seats' });
    expect(document.querySelectorAll('[role=progressbar]'), 'the bar of the stage').toHaveLength(1);
    expect([...document.querySelectorAll('.row')].map((row) => row.getAttribute('data-index'))).toEqual([
      '0',
      '1',
      '2',
    ]);
  });

  it('says how far a tool came once, where the tool says so itself', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    await panel.append({ index: 1, time: 0, type: 'progress', message: '3 of 10', value: 3, total: 10 });
    expect(screen.getByRole('main').textContent?.match(/3 of 10/g)).toHaveLength(1);
  });

  it('folds an answered question and opens it again', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    await panel.append({
      index: 1,
      time: 0,
      type: 'question',
      id: 'q1',
      number: 1,
      message: 'Who is travelling?\nOne at a time.',
      state: 'accept',
      closedAt: 49_000,
      content: { cabin: 'c', window: true, meals: ['v'] },
      schema: {
        type: 'object',
        properties: {
          cabin: { type: 'string', title: 'Cabin', oneOf: [{ const: 'c', title: 'Business' }] },
          window: { type: 'boolean', title: 'Window seat' },
          meals: { type: 'array', items: { anyOf: [{ const: 'v', title: 'Vegetarian' }] } },
        },
      },
    });
    const folded = document.querySelector('details.folded');
    expect(folded?.hasAttribute('open')).toBe(false);
    expect(folded?.querySelector('summary')?.textContent).toBe(
      'Business, Yes, Vegetarian answered after 49.0 s: Who is travelling?',
    );
    await panel.user.click(screen.getByText('Who is travelling?'));
    expect([...(folded?.querySelectorAll('tr') ?? [])].map((row) => row.textContent)).toEqual([
      'CabinBusiness',
      'Window seatYes',
      'MealsVegetarian',
    ]);
  });

  it('has the newest first once it is long', async () => {
    const panel = await openPanel();
    const said = () => [...document.querySelectorAll('.row')].map((row) => row.getAttribute('data-index'));
    await panel.show({ kind: 'running' });
    await panel.append(...Array.from({ length: 49 }, (_, at) => aLog(at + 1)));
    expect([said()[0], said().at(-1)]).toEqual(['0', '49']);
    await panel.append(aLog(50));
    expect([said()[0], said().at(-1)]).toEqual(['50', '0']);
  });

  it('begins each line with what was given: answers, parameters, what the model said', async () => {
    const panel = await openPanel();
    const asked = {
      time: 0,
      type: 'question',
      number: 1,
      message: 'In which language?',
      state: 'accept',
    } as const;
    const answer = { content: { language: 'English' }, closedAt: 63 } as const;
    await panel.show({ kind: 'running' });
    await panel.append(
      { index: 1, ...asked, ...answer, id: 'q1' },
      { index: 2, ...asked, ...answer, id: 'q2', kept: new Date(1970, 0, 1, 19, 16).getTime() },
      { index: 3, time: 0, type: 'sampling', state: 'answered', model: 'demo', text: 'Hello' },
      { index: 4, time: 0, type: 'log', level: 'info', message: 'Route', data: { from: 'AMS', to: 'LIS' } },
      { index: 5, ...asked, ...answer, id: 'q3', kept: new Date(1999, 11, 31, 9, 5).getTime() },
    );
    expect([...document.querySelectorAll('.row .line-text')].map((line) => line.textContent)).toEqual([
      'AMS',
      'Language → English answered after 63 ms: In which language?',
      'Language → English kept from 19:16: In which language?',
      'Model: Hello demo',
      'Route from AMS, to LIS',
      'Language → English kept from 1999-12-31 09:05: In which language?',
    ]);
  });
});

describe('the live region', () => {
  it('announces questions and the end, and no log line', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    const region = screen.getByRole('status');
    expect(region.textContent).toBe('');
    await panel.append(aLog(1));
    expect(region.textContent).toBe('');
    await panel.show(aForm(name));
    expect(region.textContent).toBe('Question 1: Who is travelling?');
    await panel.show(aForm(name, [], { attempt: 2, problem: 'Too short.' }));
    expect(region.textContent).toMatch(/asked again. Too short/);
    await panel.show({ kind: 'result', value: 'Booked.' });
    expect(region.textContent).toBe('“Book a flight” is done. Booked.');
    await panel.show({ kind: 'error', error: { name: 'Error', message: 'No model' } });
    expect(region.textContent).toBe('“Book a flight” failed: No model');
    await panel.show({ kind: 'aborted' });
    expect(region.textContent).toBe('Book a flight was stopped.');
  });

  it('says again what is asked again in the same words, and no mark of Markdown', async () => {
    const panel = await openPanel();
    const region = screen.getByRole.bind(null, 'status');
    const again = { problem: 'Too short.', message: 'Who **is** it?' };
    await panel.show(aForm(name, [], { ...again, attempt: 2 }));
    const said = region().firstElementChild;
    expect(said?.textContent).toBe('Question 1 is asked again. Too short. Who is it?');
    await panel.show(aForm(name, [], { ...again, attempt: 3 }));
    expect(region().textContent).toBe(said?.textContent);
    expect(region().firstElementChild).not.toBe(said);
  });

  it('has beside it what comes by itself: a refusal, and why a call does not go on', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name), { pause: { message: 'Copilot is gone.' } });
    await panel.hear(refused({ target: 'q1', message: 'It is too long.' }));
    const said = screen.getAllByRole('alert').map(({ textContent }) => textContent);
    expect(said).toEqual(['Copilot is gone.', 'It is too long.']);
  });
});

it('without a hand on it, the page leaves the keyboard alone; called for, it takes it', async () => {
  const hasFocus = document.hasFocus;
  document.hasFocus = () => false;
  try {
    const panel = await openPanel();
    await panel.show(aForm(name));
    expect(document.activeElement).toBe(document.body);
    await panel.hear({ parley: 'parley/1', name: 'focus', body: {} });
    await act(async () => {});
    expect(document.activeElement).toBe(document.querySelector('[data-control]'));
  } finally {
    document.hasFocus = hasFocus;
  }
});
