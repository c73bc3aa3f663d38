import type { JsonObject } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Pause, QuestionBody, RenderedView, StageOf } from '../../panel-port/index.ts';
import type { EndEvent, SessionEvent } from '../../runtime/session/events.ts';
import { endStage, type ShownEnding } from './ending.ts';
import { limitJson, limitText } from './limit.ts';
import { finishProgress, reduceProgress } from './progress.ts';
import {
  closeQuestion,
  isRefused,
  openQuestion,
  questionAnswer,
  setBody,
  takeBackQuestion,
} from './questions.ts';
import { addRow, changeRow } from './rows.ts';
import { openSampling, samplingAnswer, setConsent } from './samplings.ts';
import type { PanelState } from './state.ts';
import { setWaiting, startTimers, stopTimers } from './timers.ts';

/** What can happen to a panel. */
export type PanelInput =
  | { readonly type: 'parameters'; readonly form: Omit<StageOf<'parameters'>, 'kind'> }
  | {
      readonly type: 'started';
      readonly callId: string;
      readonly time: number;
      readonly params: JsonObject | undefined;
    }
  | {
      readonly type: 'event';
      readonly event: SessionEvent;
      /** Of a question: a handler takes it, so that no form flashes by. */
      readonly handled?: boolean;
      /** Of an end. */
      readonly ending?: ShownEnding | undefined;
    }
  | {
      readonly type: 'body';
      readonly askId: string;
      readonly body: QuestionBody;
      readonly notice?: string | undefined;
    }
  /** Its answer is kept from the call that began then. */
  | { readonly type: 'kept'; readonly askId: string; readonly from: number }
  | { readonly type: 'shown'; readonly view: RenderedView | undefined }
  | {
      readonly type: 'pause';
      readonly pause: Pause | undefined;
      /** The call stands still until the person does something about it. */
      readonly waits: boolean;
      readonly time: number;
    }
  | { readonly type: 'consent'; readonly askId: string; readonly waits: boolean; readonly time: number };

/** The panel after `input`. Pure. */
export function reduce(state: PanelState, input: PanelInput): PanelState {
  switch (input.type) {
    case 'parameters':
      return { ...state, parameters: { kind: 'parameters', ...input.form } };
    case 'started': {
      const { callId, time, params } = input;
      const call = { ...state.call, callId, status: 'running' as const, startedAt: time };
      const started = startTimers({ ...state, call, parameters: undefined }, time);
      return addRow(started, { type: 'started', time, ...(params ? { params: limitObject(params) } : {}) });
    }
    case 'event':
      return reduceEvent(state, input.event, input.handled ?? false, input.ending);
    case 'body':
      return setBody(state, input.askId, input.body, input.notice);
    case 'kept':
      return { ...state, kept: new Map(state.kept).set(input.askId, input.from) };
    case 'shown':
      return { ...state, shown: input.view };
    case 'pause': {
      const paused = state.end ? state : { ...state, pause: input.pause };
      return withStatus(setWaiting(paused, 'pause', input.waits, input.time));
    }
    case 'consent': {
      const waits = input.waits && state.askRows.has(input.askId);
      return withStatus(setWaiting(setConsent(state, input.askId, waits), input.askId, waits, input.time));
    }
  }
}

function reduceEvent(
  state: PanelState,
  event: SessionEvent,
  handled: boolean,
  ending: ShownEnding | undefined,
): PanelState {
  if (state.end) return state;
  switch (event.type) {
    case 'elicit_request':
      return withStatus(
        setWaiting(openQuestion(state, event.ask, event.time, handled), event.ask.id, true, event.time),
      );
    case 'sample_request':
      return openSampling(state, event.ask, event.time);
    case 'roots_request':
    case 'page_completed':
      return state;
    case 'ask_closed':
      return withStatus(setWaiting(closeAsk(state, event), event.id, false, event.time));
    case 'log': {
      const { level, message, data, depth, time } = event;
      return addRow(state, {
        type: 'log',
        time,
        level,
        message: limitText(message),
        ...(data === undefined ? {} : { data: limitJson(data) }),
        ...(depth > 0 ? { depth } : {}),
      });
    }
    case 'progress':
      return reduceProgress(state, event);
    case 'rewound':
      return withStatus(takeBackQuestion(state, event.to, event.time));
    case 'gap':
      return event.dropped > 0
        ? addRow(state, { type: 'gap', time: event.time, dropped: event.dropped })
        : state;
    case 'result':
    case 'error':
    case 'aborted':
      return reduceEnd(state, event, ending);
  }
}

type AskClosed = Extract<SessionEvent, { type: 'ask_closed' }>;

function closeAsk(state: PanelState, event: AskClosed): PanelState {
  const index = state.askRows.get(event.id);
  const type = state.rows.find((row) => row.index === index)?.type;
  const error = event.error === undefined ? {} : { error: limitText(event.error.message) };
  if (type === 'sampling') {
    return changeRow(state, index, 'sampling', (row) =>
      event.how === 'answered'
        ? { ...row, ...samplingAnswer(event.answer), state: 'answered' }
        : { ...row, ...error, state: event.how === 'failed' ? 'failed' : 'withdrawn' },
    );
  }
  return closeQuestion(
    state,
    event.id,
    event.how === 'answered'
      ? {
          ...questionAnswer(event.answer),
          closedAt: event.time,
          ...defined({ kept: state.kept.get(event.id) }),
        }
      : { ...error, state: event.how, closedAt: event.time },
  );
}

function reduceEnd(state: PanelState, event: EndEvent, ending: ShownEnding | undefined): PanelState {
  const how = ({ result: 'completed', error: 'failed', aborted: 'aborted' } as const)[event.type];
  const message = event.type === 'error' ? event.error.message : event.type === 'aborted' ? event.reason : '';
  let next = stopTimers(finishProgress(state), event.time);
  for (const index of state.askRows.values()) {
    next = changeRow(next, index, 'sampling', (row) =>
      row.state === 'open' || row.state === 'consent' ? { ...row, state: 'withdrawn' } : row,
    );
    next = changeRow(next, index, 'question', (row) =>
      row.state === 'open' ? { ...row, state: 'withdrawn' } : row,
    );
  }
  next = addRow(next, {
    type: 'ended',
    time: event.time,
    how,
    ...(message === '' ? {} : { message: limitText(message) }),
  });
  return {
    ...next,
    call: {
      ...next.call,
      status: how,
      endedAt: event.time,
      ...(how === 'completed' && isRefused(next.rows) ? { refused: true } : {}),
    },
    question: undefined,
    parameters: undefined,
    pause: undefined,
    end: endStage(event, ending),
  };
}

/** `waiting` while a person is asked, `running` otherwise. */
function withStatus(state: PanelState): PanelState {
  if (state.end || state.call.status === 'preparing') return state;
  const status = state.waiting.size > 0 ? 'waiting' : 'running';
  return state.call.status === status ? state : { ...state, call: { ...state.call, status } };
}

function limitObject(params: JsonObject): JsonObject {
  const limited = limitJson(params);
  return typeof limited === 'string' ? { '…': limited } : params;
}
