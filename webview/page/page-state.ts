import { applyPatch, type Snapshot, type Stage, type ToPage } from '../../src/panel-port/index.ts';
import type { Unsent } from './unsent.ts';

/** Milliseconds between a question that went away and the next one in which a person who was busy with the first may not have looked up. */
const MEANWHILE = 5_000;

/** What the page is drawn from: the last snapshot, and what the person has just done to it. */
export interface PageState {
  readonly snapshot?: Snapshot;
  /** The page's clock when the head arrived: the host's may run differently. */
  readonly headAt: number;
  /** The asking that an answer is on its way for, as {@link askingOf} names it. */
  readonly pending?: string;
  /** Why the host did not take what was sent for a target. */
  readonly refusal?: { readonly target: string; readonly message: string };
  /** The path that the person picked last, and for which control. */
  readonly picked?: { readonly control: string; readonly path: string };
  /** The question that the person has answered, or gone back from: it waits for nothing more from them. */
  readonly doneWith?: string;
  /** When a question went away that the person had not answered, and which one stands in its place so soon that they may not have seen. */
  readonly overtaken?: { readonly at: number; readonly by?: string };
  /** What was put into questions of this call that went away before it was sent. */
  readonly unsent: readonly Unsent[];
  /** How often what was unsent was put into the question that is asked. */
  readonly filledIn: number;
  /** How often the person has called for this panel. */
  readonly focusCalls: number;
  /** Whether a question that comes while the person is elsewhere is heard. */
  readonly sound: boolean;
}

/** The state before anything arrived. */
export const emptyPage: PageState = { headAt: 0, unsent: [], filledIn: 0, focusCalls: 0, sound: false };

/**
 * The state after a message, or `'resync'` when the message does not fit what the page has.
 *
 * @param now epoch milliseconds
 */
export function receive(state: PageState, message: ToPage, now: number): PageState | 'resync' {
  // No default: a kind of message that is not handled does not compile.
  switch (message.name) {
    case 'snapshot':
      return withSnapshot(state, message.body, now, now);
    case 'patch': {
      const next = state.snapshot && applyPatch(state.snapshot, message.body);
      return next ? withSnapshot(state, next, message.body.head ? now : state.headAt, now) : 'resync';
    }
    case 'focus':
      return { ...state, focusCalls: state.focusCalls + 1 };
    case 'picked':
      return { ...state, picked: message.body };
    case 'sound':
      return { ...state, sound: message.body.on };
    case 'refused': {
      const { pending: _pending, doneWith: _doneWith, ...rest } = state;
      return { ...rest, refusal: message.body };
    }
  }
}

function withSnapshot(state: PageState, next: Snapshot, headAt: number, now: number): PageState {
  const { pending, refusal, focusCalls, sound, unsent, filledIn, doneWith } = state;
  const { stage } = next.head;
  const overtaken = overtakenIn(state, stage, now);
  return {
    snapshot: next,
    headAt,
    focusCalls,
    sound,
    unsent,
    filledIn,
    ...(overtaken && { overtaken }),
    ...(doneWith !== undefined && isStillDone(state, stage) && { doneWith }),
    ...(pending !== undefined && pending === askingOf(stage) && { pending }),
    ...(refusal && concerns(stage, refusal.target) && { refusal }),
  };
}

/** Who takes the place of what, as far as that was nothing that the person did. */
function overtakenIn(state: PageState, next: Stage, now: number): PageState['overtaken'] {
  const before = state.snapshot?.head.stage;
  const from = questionIn(before);
  const to = questionIn(next);
  if (from === to) return state.overtaken;
  const by = to === undefined ? {} : { by: to };
  if (from !== undefined) {
    return from === state.doneWith ? undefined : { at: now, ...by };
  }
  const { at } = state.overtaken ?? {};
  return at !== undefined && now - at < MEANWHILE ? { at: now, ...by } : undefined;
}

/** Does the question wait for nothing, as when it was answered? Its handler may be at work; one that shows another view waits again. */
function isStillDone(state: PageState, next: Stage): boolean {
  if (next.kind !== 'question' || next.question.id !== state.doneWith) return false;
  const before = state.snapshot && askingOf(state.snapshot.head.stage);
  return next.question.body.kind === 'busy' || askingOf(next) === before;
}

function questionIn(stage: Stage | undefined): string | undefined {
  return stage?.kind === 'question' ? stage.question.id : undefined;
}

/** The state once the person has answered the question that is asked, or goes back from it. */
export function withDone(state: PageState): PageState {
  const doneWith = questionIn(state.snapshot?.head.stage);
  return doneWith === undefined ? state : { ...state, doneWith };
}

/** The state once an answer for the present stage is on its way. */
export function sent(state: PageState): PageState {
  const { refusal: _refusal, ...rest } = state;
  const asking = state.snapshot && askingOf(state.snapshot.head.stage);
  return asking === undefined ? rest : withDone({ ...rest, pending: asking });
}

/** Names what a stage asks, down to the attempt and the rendering: one asking takes one answer. */
export function askingOf(stage: Stage): string | undefined {
  if (stage.kind === 'parameters') return `${stage.formId}#${stage.attempt}`;
  if (stage.kind !== 'question') return undefined;
  const { id, attempt, body } = stage.question;
  return body.kind === 'view' ? `${id}#${attempt}#${body.renderId}` : `${id}#${attempt}`;
}

/** Is `target` the form, the question or the rendering that a stage shows? */
export function concerns(stage: Stage, target: string): boolean {
  if (stage.kind === 'parameters') return stage.formId === target;
  if (stage.kind !== 'question') return false;
  const { id, body } = stage.question;
  return id === target || (body.kind === 'view' && body.renderId === target);
}
