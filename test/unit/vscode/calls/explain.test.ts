import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '#src/core/errors/errors.ts';
import { type EndEvent, RELEASED } from '#src/runtime/session/events.ts';
import { explainEnd, isOfTheWorld, shownEnd } from '#src/vscode/calls/notices/explain.ts';

const english = (message: string) => message;
const failed = (code?: ErrorCode): EndEvent => ({
  at: 1,
  time: 1,
  type: 'error',
  error: { name: 'Error', message: 'no', ...(code ? { code } : {}) },
});
const idsOf = (event: EndEvent, lackedModel = false) =>
  explainEnd(event, english, { lackedModel }).actions?.map(({ id, primary }) => (primary ? `*${id}` : id));

describe('explainEnd', () => {
  it('offers to run again, whatever the end', () => {
    const result: EndEvent = { at: 1, time: 1, type: 'result', value: 1 };
    const aborted: EndEvent = { at: 1, time: 1, type: 'aborted', reason: 'enough' };
    for (const end of [result, aborted, failed(), failed('TIMEOUT')])
      expect(idsOf(end)).toEqual(['*runAgain']);
  });

  it('offers nothing for a call that another window has taken up, and says where it is', () => {
    const away: EndEvent = { at: 1, time: 1, type: 'aborted', reason: RELEASED };
    for (const end of [failed('CLAIM_LOST'), away]) {
      expect(explainEnd(end, english)).toEqual({ actions: [] });
      expect(explainEnd(end, english, { own: false, left: true })).toEqual({ actions: [] });
      expect(shownEnd(end, english)).toEqual({ ...away, reason: 'This call continues in another window.' });
    }
    const stopped: EndEvent = { at: 1, time: 1, type: 'aborted', reason: 'enough' };
    for (const end of [failed(), stopped]) expect(shownEnd(end, english)).toBe(end);
  });

  it.each<[ErrorCode, string[]]>([
    ['SAMPLING_REFUSED', ['*runAgain', 'chooseModel']],
    ['SAMPLING_QUOTA', ['*runAgain', 'chooseModel']],
    ['SAMPLING', ['*runAgain', 'chooseModel']],
  ])('says what can be done about %s', (code, actions) => {
    expect(idsOf(failed(code))).toEqual(actions);
    expect(explainEnd(failed(code), english).hint).toMatch(/model|Wait/);
  });

  it('says once that there is no model, and offers the step again and a sign-in', () => {
    const none = failed('SAMPLING_NO_MODEL');
    const actions = (end: EndEvent, answered = true) =>
      explainEnd(end, english, { answered }).actions?.map(({ label }) => label);
    expect(explainEnd(none, english).hint).toBeUndefined();
    expect(actions(none)).toEqual(['Try Again', 'Sign In…']);
    expect(actions(none, false)).toEqual(['Run Again…', 'Sign In…']);
    const error = {
      name: 'Error',
      message: 'no',
      code: 'SAMPLING_NO_MODEL',
      details: { model: 'x' },
    } as const;
    expect(actions({ at: 1, time: 1, type: 'error', error })).toEqual(['Try Again', 'Choose Model…']);
    expect(actions(failed('SAMPLING_QUOTA'))).toEqual(['Try Again', 'Choose Model…']);
    expect([none, failed('TIMEOUT'), failed()].map(isOfTheWorld)).toEqual([true, false, false]);
  });

  it('leads to the line that failed first, then to the debugger', () => {
    const facts = { hasLine: true, debuggable: true };
    const ids = (event: EndEvent, own = true) =>
      explainEnd(event, english, { ...facts, own }).actions?.map(({ id, primary }) =>
        primary ? `*${id}` : id,
      );
    expect(ids(failed())).toEqual(['*goToLine', 'debugAgain', 'runAgain']);
    expect(ids(failed('TIMEOUT'))).toEqual(['*goToLine', 'runAgain']);
    // Of somebody else's call only the author's own line is of use to the person.
    expect(ids(failed(), false)).toEqual(['*goToLine']);
  });

  it('offers to take along what came of somebody else’s call, where nobody got it', () => {
    const result: EndEvent = { at: 1, time: 1, type: 'result', value: 1 };
    const ids = (left: boolean) =>
      explainEnd(result, english, { own: false, left }).actions?.map(({ id }) => id);
    expect([ids(true), ids(false)]).toEqual([['addToChat'], []]);
  });

  it('offers to choose a model when the tool went on without one', () => {
    expect(idsOf({ at: 1, time: 1, type: 'result', value: 1 }, true)).toEqual(['*runAgain', 'chooseModel']);
  });
});
