import { describe, expect, it } from 'vitest';
import { contentBlocks } from '#src/panel/model/ending.ts';
import { type PanelInput, reduce } from '#src/panel/model/reduce.ts';
import { patchOf, snapshotOf, stageOf } from '#src/panel/model/snapshot.ts';
import { initialState, type PanelState } from '#src/panel/model/state.ts';
import { applyPatch, type RowOf, readFromHost, snapshot, type TimelineRow } from '#src/panel-port/index.ts';
import type { ElicitAsk, SampleAsk } from '#src/runtime/session/ask.ts';
import type { SessionHappening } from '#src/runtime/session/events.ts';

const schema = { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] } as const;

function elicit(id: string, more: Partial<ElicitAsk> = {}): SessionHappening {
  const ask: ElicitAsk = {
    kind: 'elicit',
    id,
    wireKey: 'pickSeat',
    depth: 0,
    ref: { toolName: 'book', key: 'pickSeat', callId: 'c1', seq: 1 },
    attempt: 1,
    declared: true,
    request: { message: 'Which seat?', requestedSchema: schema },
    ...more,
  };
  return { type: 'elicit_request', ask };
}

function sample(id: string): SessionHappening {
  const ask: SampleAsk = {
    kind: 'sample',
    id,
    wireKey: 'sample#1',
    depth: 0,
    ref: { toolName: 'book', key: 'sample', callId: 'c1', seq: 1 },
    attempt: 1,
    request: { messages: [{ role: 'user', content: { type: 'text', text: 'A tip?' } }], maxTokens: 100 },
  };
  return { type: 'sample_request', ask };
}

const INPUTS = ['body', 'shown', 'consent', 'kept'] as const;
const isInput = (step: Step): step is Extract<PanelInput, Step> => INPUTS.some((type) => type === step.type);

/** Plays happenings one second apart, from 1,000; a panel input is applied between them. */
type Step = SessionHappening | Extract<PanelInput, { type: (typeof INPUTS)[number] }>;

function play(...steps: readonly Step[]) {
  let at = 0;
  let time = 1000;
  let state: PanelState = reduce(initialState({ callId: 'c1', toolName: 'book', title: 'Book a flight' }), {
    type: 'started',
    callId: 'c1',
    time,
    params: { from: 'AMS' },
  });
  for (const step of steps) {
    if (isInput(step)) state = reduce(state, step);
    else {
      time += 1000;
      state = reduce(state, { type: 'event', event: { at: ++at, time, ...step } });
    }
  }
  return state;
}

const rows = <Type extends TimelineRow['type']>(state: PanelState, type: Type) =>
  state.rows.filter((row): row is RowOf<Type> => row.type === type);

const log = (message: string): SessionHappening => ({ type: 'log', level: 'info', message, depth: 0 });
const progress = (message: string, value?: number, total?: number): SessionHappening => ({
  type: 'progress',
  message,
  depth: 0,
  ...(value === undefined ? {} : { value }),
  ...(total === undefined ? {} : { total }),
});

describe('a panel', () => {
  it('a question of a tool that the call has called says which one asks', () => {
    const stage = stageOf(play(elicit('e1', { path: ['github__create_issue'] })));
    expect(stage).toMatchObject({ kind: 'question', question: { path: ['github__create_issue'] } });
  });

  it('shows the form for the parameters until the call starts', () => {
    const empty = initialState({ callId: '', toolName: 'book', title: 'Book a flight' });
    const form = { formId: 'f1', schema: { type: 'object' }, attempt: 1 };
    const asked = reduce(empty, { type: 'parameters', form });
    expect(stageOf(asked)).toEqual({ kind: 'parameters', ...form });
    expect(asked.call.status).toBe('preparing');
    const started = reduce(asked, { type: 'started', callId: 'c9', time: 5, params: { from: 'AMS' } });
    expect(stageOf(started)).toEqual({ kind: 'running' });
    expect(started.call).toMatchObject({ callId: 'c9', status: 'running', startedAt: 5 });
    expect(started.rows).toEqual([{ index: 0, type: 'started', time: 5, params: { from: 'AMS' } }]);
  });

  it('tells the whole story of a call', () => {
    const state = play(
      log('searching'),
      elicit('e1'),
      {
        type: 'ask_closed',
        id: 'e1',
        how: 'answered',
        answer: { action: 'accept', content: { seat: '3A' } },
      },
      sample('s1'),
      {
        type: 'ask_closed',
        id: 's1',
        how: 'answered',
        answer: { role: 'assistant', content: { type: 'text', text: 'Pack light' }, model: 'demo/one' },
      },
      { type: 'result', value: { ticket: 'T1' } },
    );
    expect(state.rows).toMatchObject([
      { type: 'started' },
      { type: 'log', message: 'searching' },
      { type: 'question', number: 1, state: 'accept', content: { seat: '3A' }, message: 'Which seat?' },
      { type: 'sampling', state: 'answered', prompt: 'A tip?', text: 'Pack light', model: 'demo/one' },
      { type: 'ended', how: 'completed' },
    ]);
    expect(stageOf(state)).toEqual({ kind: 'result', value: { ticket: 'T1' } });
    expect(state.call).toMatchObject({ status: 'completed', startedAt: 1000, endedAt: 7000 });
    expect(state.timers).toEqual({ machine: { total: 5000 }, human: { total: 1000 } });
  });

  it('is a message that the page accepts, at every step', () => {
    const story: Step[] = [
      log('searching'),
      progress('half', 0.5),
      elicit('e1', { problem: 'no such seat', attempt: 2 }),
      { type: 'body', askId: 'e1', body: { kind: 'busy' } },
      { type: 'ask_closed', id: 'e1', how: 'failed', error: { name: 'Error', message: 'no' } },
      sample('s1'),
      { type: 'gap', dropped: 3 },
      { type: 'error', error: { name: 'ViewError', code: 'VIEW', message: 'crashed' } },
    ];
    for (let length = 0; length <= story.length; length++) {
      const state = play(...story.slice(0, length));
      const received = readFromHost(structuredClone(snapshot(snapshotOf(state, length, 99))));
      expect(received.case, JSON.stringify(received)).toBe('message');
    }
  });
});

describe('a question', () => {
  it('waits, and the machine’s clock stands still', () => {
    const state = play(elicit('e1'));
    expect(state.call.status).toBe('waiting');
    expect(state.timers).toEqual({ machine: { total: 1000 }, human: { total: 0, since: 2000 } });
    expect(stageOf(state)).toMatchObject({
      kind: 'question',
      question: { id: 'e1', number: 1, attempt: 1, key: 'pickSeat', body: { kind: 'form', schema } },
    });
  });

  it('keeps its id, number and place when it is asked again', () => {
    const state = play(elicit('e1'), log('x'), elicit('e1', { attempt: 2, problem: 'seat is taken' }));
    expect(state.question).toMatchObject({
      id: 'e1',
      number: 1,
      attempt: 2,
      problem: 'seat is taken',
      openedAt: 2000,
    });
    expect(rows(state, 'question')).toHaveLength(1);
  });

  it('shows what its handler rendered, and the form with a notice when that gives way', () => {
    const body = { kind: 'view', renderId: 'r1', view: { key: 'k' }, props: {} } as const;
    const rendered = play(elicit('e1'), { type: 'body', askId: 'e1', body });
    expect(rendered.question?.body).toEqual(body);
    const form = { kind: 'form', schema } as const;
    const gave = reduce(rendered, { type: 'body', askId: 'e1', body: form, notice: 'The view failed' });
    expect(gave.question).toMatchObject({ body: form, notice: 'The view failed' });
    const stale = reduce(gave, { type: 'body', askId: 'e0', body });
    expect(stale).toBe(gave);
  });

  it('says in its row that its answer was kept, whether it heard of that before the question or after', () => {
    const kept = { type: 'kept', askId: 'e1', from: 700 } as const;
    const answer = { type: 'ask_closed', id: 'e1', how: 'answered', answer: { action: 'accept' } } as const;
    const orders: Step[][] = [
      [kept, elicit('e1'), answer],
      [elicit('e1'), kept, answer],
    ];
    for (const steps of orders) {
      expect(rows(play(...steps), 'question')).toMatchObject([{ state: 'accept', kept: 700 }]);
    }
    expect(rows(play(elicit('e1'), answer), 'question')[0]).not.toHaveProperty('kept');
  });

  it('knows from its form that its tool takes a decline for a cancel', () => {
    const request = { message: 'Commit?', requestedSchema: { ...schema, decline: false } } as const;
    expect(play(elicit('e1', { request })).question).toMatchObject({ decline: false });
    expect(play(elicit('e1')).question).not.toHaveProperty('decline');
  });

  it('leaves a call that is done with a no as refused, and with a later yes as done', () => {
    const says = (id: string, action: string) =>
      [elicit(id), { type: 'ask_closed', id, how: 'answered', answer: { action } }] as const;
    const done = { type: 'result', value: 'not booked' } as const;
    const refused = (...steps: readonly Step[]) => play(...steps, done).call.refused;
    expect(refused(...says('elicit-1', 'cancel'))).toBe(true);
    expect(refused(...says('elicit-1', 'decline'))).toBe(true);
    expect(refused(...says('elicit-1', 'decline'), ...says('elicit-2', 'accept'))).toBeUndefined();
    expect(refused()).toBeUndefined();
  });

  it('folds into its row, however it ends', () => {
    const endings: [SessionHappening, Partial<RowOf<'question'>>][] = [
      [
        { type: 'ask_closed', id: 'e1', how: 'answered', answer: { action: 'decline' } },
        { state: 'decline' },
      ],
      [{ type: 'ask_closed', id: 'e1', how: 'answered', answer: { action: 'cancel' } }, { state: 'cancel' }],
      [{ type: 'ask_closed', id: 'e1', how: 'withdrawn' }, { state: 'withdrawn' }],
      [
        { type: 'ask_closed', id: 'e1', how: 'failed', error: { name: 'E', message: 'gone' } },
        { state: 'failed', error: 'gone' },
      ],
      [{ type: 'aborted', reason: 'stopped' }, { state: 'withdrawn' }],
    ];
    for (const [ending, row] of endings) {
      const state = play(elicit('e1'), ending);
      expect(state.question).toBeUndefined();
      expect(rows(state, 'question')).toMatchObject([row]);
      expect(state.timers.human).toEqual({ total: 1000 });
    }
  });

  it('counts on', () => {
    const closed: SessionHappening = {
      type: 'ask_closed',
      id: 'e1',
      how: 'answered',
      answer: { action: 'decline' },
    };
    expect(play(elicit('e1'), closed, elicit('e2')).question?.number).toBe(2);
  });
});

describe('consent', () => {
  it('is human time, and shows in the row of its sampling', () => {
    const waiting = play(sample('s1'), { type: 'consent', askId: 's1', waits: true, time: 2500 });
    expect(waiting.call.status).toBe('waiting');
    expect(rows(waiting, 'sampling')).toMatchObject([{ state: 'consent' }]);
    const given = reduce(waiting, { type: 'consent', askId: 's1', waits: false, time: 4500 });
    expect(given.call.status).toBe('running');
    expect(rows(given, 'sampling')).toMatchObject([{ state: 'open' }]);
    expect(given.timers).toEqual({ machine: { total: 1500, since: 4500 }, human: { total: 2000 } });
  });
});

describe('progress', () => {
  it('moves one bar on', () => {
    const state = play(progress('1 of 6', 1, 6), log('between'), progress('4 of 6', 4, 6));
    expect(rows(state, 'progress')).toMatchObject([{ index: 1, message: '4 of 6', value: 4, total: 6 }]);
  });

  it('begins anew when the value falls, the total changes or there is none', () => {
    const state = play(progress('a', 0.9), progress('b', 0.1), progress('c', 1, 6), progress('d'));
    expect(rows(state, 'progress').map(({ message, done }) => [message, done])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d', undefined],
    ]);
  });

  it('is done at the end', () => {
    const state = play(progress('a', 0.5), { type: 'result', value: undefined });
    expect(rows(state, 'progress')[0]?.done).toBe(true);
    expect(stageOf(state)).toEqual({ kind: 'result', value: null });
  });
});

describe('the end', () => {
  it('shows an error with a hint and actions', () => {
    const failed = reduce(play(), {
      type: 'event',
      event: {
        at: 1,
        time: 2000,
        type: 'error',
        error: { name: 'NoModelError', code: 'SAMPLING_NO_MODEL', message: 'No model' },
      },
      ending: { hint: 'Choose one', actions: [{ id: 'chooseModel', label: 'Choose Model…' }] },
    });
    expect(stageOf(failed)).toEqual({
      kind: 'error',
      error: { name: 'NoModelError', code: 'SAMPLING_NO_MODEL', message: 'No model', hint: 'Choose one' },
      actions: [{ id: 'chooseModel', label: 'Choose Model…' }],
    });
    expect(failed.rows.at(-1)).toMatchObject({ type: 'ended', how: 'failed', message: 'No model' });
  });

  it('sticks', () => {
    const state = play({ type: 'aborted', reason: 'stopped' });
    expect(reduce(state, { type: 'event', event: { at: 9, time: 9000, ...log('late') } })).toBe(state);
  });

  it('knows content blocks, bare, in a list and in a whole result', () => {
    const text = { type: 'text', text: 'hi' };
    expect(contentBlocks(text)).toEqual([text]);
    expect(contentBlocks([text, { type: 'image', data: 'AA', mimeType: 'image/png' }])).toHaveLength(2);
    expect(contentBlocks({ content: [text], isError: false })).toEqual([text]);
    for (const other of [[], [{ type: 'text' }], { content: 'x' }, 'text', null, [text, 1]]) {
      expect(contentBlocks(other)).toBeUndefined();
    }
  });
});

describe('patches', () => {
  it('lead from one snapshot to the next and hold only what changed', () => {
    const before = play(log('a'), elicit('e1'), sample('s1'));
    const steps: PanelState[] = [
      reduce(before, { type: 'event', event: { at: 5, time: 9000, ...log('b') } }),
      reduce(before, {
        type: 'event',
        event: { at: 5, time: 9000, type: 'ask_closed', id: 's1', how: 'withdrawn' },
      }),
      reduce(before, { type: 'event', event: { at: 5, time: 9000, type: 'result', value: 1 } }),
      reduce(before, { type: 'shown', view: { renderId: 'r', view: { key: 'k' }, props: {} } }),
    ];
    for (const after of steps) {
      const patch = patchOf(before, after, 7, 10_000);
      expect(patch).toBeDefined();
      if (!patch) continue;
      const applied = applyPatch(snapshotOf(before, 7, 10_000), patch);
      expect(applied).toEqual(snapshotOf(after, 8, 10_000));
    }
    expect(steps[0] && patchOf(before, steps[0], 7, 1)).toMatchObject({ rows: [{ message: 'b' }] });
    expect(steps[0] && patchOf(before, steps[0], 7, 1)).not.toHaveProperty('head');
    expect(patchOf(before, before, 7, 1)).toBeUndefined();
  });

  it('stay small however long the call', () => {
    let state = play();
    for (let at = 1; at <= 2000; at++) {
      state = reduce(state, { type: 'event', event: { at, time: 1000 + at, ...log(`line ${at}`) } });
    }
    expect(state.rows).toHaveLength(500);
    expect(state.rows.at(-1)).toMatchObject({ message: 'line 2000', index: 2000 });
    const after = reduce(state, { type: 'event', event: { at: 2001, time: 9000, ...log('one more') } });
    expect(patchOf(state, after, 1, 1)?.rows).toHaveLength(1);
  });

  it('hold data of bounded size', () => {
    const state = play({
      type: 'log',
      level: 'info',
      message: 'm'.repeat(9000),
      data: 'x'.repeat(200_000),
      depth: 0,
    });
    expect(JSON.stringify(state.rows.at(-1)).length).toBeLessThan(110_000);
  });
});

describe('going back', () => {
  const closed = (id: string, action = 'accept'): SessionHappening => ({
    type: 'ask_closed',
    id,
    how: 'answered',
    answer: { action, content: { seat: '7A' } },
  });
  const withdrawn = (id: string): SessionHappening => ({ type: 'ask_closed', id, how: 'withdrawn' });

  it('is offered by a question that another one came before', () => {
    expect(play(elicit('elicit-1')).question?.back).toBeUndefined();
    expect(play(elicit('elicit-1'), closed('elicit-1'), elicit('elicit-2')).question?.back).toBe('elicit-1');
    // What was withdrawn was not answered.
    expect(
      play(elicit('elicit-1'), withdrawn('elicit-1'), elicit('elicit-2')).question?.back,
    ).toBeUndefined();
  });

  it('is not offered by what Parley asks before a tool runs, nor to it', () => {
    const approved = play(elicit('approval:x'), closed('approval:x'), elicit('elicit-1'));
    expect(approved.question?.back).toBeUndefined();
    const asked = play(elicit('elicit-1'), closed('elicit-1'), elicit('approval:x'));
    expect(asked.question?.back).toBeUndefined();
  });

  it('is over for a question that was open, when its call goes on elsewhere: nothing waits for it any more', () => {
    const state = play(elicit('elicit-1'), closed('elicit-1'), elicit('elicit-2'), {
      type: 'rewound',
      to: 'elicit-1',
    });
    expect(state.question).toBeUndefined();
    expect(state.waiting.size).toBe(0);
    expect(rows(state, 'question').map(({ state: how }) => how)).toEqual(['taken_back', 'withdrawn']);
    expect(state.call.status).toBe('running');
  });

  it('keeps the place and the number of a question that closes and opens again', () => {
    const state = play(
      elicit('elicit-1'),
      closed('elicit-1'),
      elicit('elicit-2'),
      withdrawn('elicit-2'),
      elicit('elicit-2'),
    );
    expect(state.question).toMatchObject({ id: 'elicit-2', number: 2, back: 'elicit-1' });
    expect(rows(state, 'question').map((row) => [row.id, row.state, row.closedAt])).toEqual([
      ['elicit-1', 'accept', expect.any(Number)],
      ['elicit-2', 'open', undefined],
    ]);
    expect(play(elicit('elicit-1'), closed('elicit-1'), elicit('elicit-2')).questions).toBe(2);
  });

  it('takes back the answers from there on, and the question that is asked again has those before', () => {
    const state = play(
      elicit('elicit-1'),
      closed('elicit-1'),
      elicit('elicit-2'),
      closed('elicit-2', 'decline'),
      elicit('elicit-3'),
      withdrawn('elicit-3'),
      { type: 'rewound', to: 'elicit-2' },
      elicit('elicit-4'),
    );
    expect(rows(state, 'question').map((row) => [row.id, row.state])).toEqual([
      ['elicit-1', 'accept'],
      ['elicit-2', 'taken_back'],
      ['elicit-3', 'withdrawn'],
      ['elicit-4', 'open'],
    ]);
    expect(state.question?.back).toBe('elicit-1');
    expect(state.question?.number).toBe(2);
    expect(state.call.status).toBe('waiting');
  });
});

describe('secrets', () => {
  const answer = (content: object) =>
    ({ type: 'ask_closed', id: 'elicit-1', how: 'answered', answer: { action: 'accept', content } }) as never;
  const played = () => {
    const started = reduce(initialState({ callId: 'c1', toolName: 'book', title: 'Book a flight' }), {
      type: 'started',
      callId: 'c1',
      time: 1,
      params: { from: 'AMS', apiKey: 'k-12345' },
    });
    const happenings: SessionHappening[] = [
      elicit('elicit-1', { request: { message: 'With k-12345?', requestedSchema: schema } }),
      answer({ seat: '1A', password: 'info' }),
      { type: 'log', level: 'info', message: 'used k-12345 and info', depth: 0 },
    ];
    const states = [started];
    for (const [at, happening] of happenings.entries()) {
      const event = { at: at + 1, time: at + 2, ...happening };
      states.push(reduce(states.at(-1) ?? started, { type: 'event', event }));
    }
    return states;
  };

  it('are in no row that a page is sent, whatever else they are', () => {
    const [, , before, after] = played() as [PanelState, PanelState, PanelState, PanelState];
    const { rows } = snapshotOf(after, 1, 10);
    expect(JSON.stringify(rows)).not.toContain('k-12345');
    expect(rows).toMatchObject([
      { type: 'started', params: { from: 'AMS', apiKey: '***' } },
      { type: 'question', message: 'With ***?', content: { seat: '1A', password: '***' } },
      { type: 'log', level: 'info', message: 'used *** and ***' },
    ]);
    expect(patchOf(before, after, 1, 10)?.rows).toEqual(rows.slice(2));
    expect(readFromHost(snapshot(snapshotOf(after, 1, 10)))).toMatchObject({
      message: { name: 'snapshot' },
    });
  });

  it('are what a call is run again with, and what is asked about now', () => {
    const [, asking] = played() as [PanelState, PanelState];
    expect(asking.rows[0]).toMatchObject({ params: { apiKey: 'k-12345' } });
    expect(snapshotOf(asking, 1, 10).head.stage).toMatchObject({ question: { message: 'With k-12345?' } });
  });
});
