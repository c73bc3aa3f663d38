import { applyPatch, type Snapshot, type Stage, type ToPage } from '../../src/panel-port/index.ts';

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
  /** How often the person has called for this panel. */
  readonly focusCalls: number;
  /** Whether a question that comes while the person is elsewhere is heard. */
  readonly sound: boolean;
}

/** The state before anything arrived. */
export const emptyPage: PageState = { headAt: 0, focusCalls: 0, sound: false };

/**
 * The state after a message, or `'resync'` when the message does not fit what the page has.
 *
 * @param now epoch milliseconds
 */
export function receive(state: PageState, message: ToPage, now: number): PageState | 'resync' {
  // No default: a kind of message that is not handled does not compile.
  switch (message.name) {
    case 'snapshot':
      return withSnapshot(state, message.body, now);
    case 'patch': {
      const next = state.snapshot && applyPatch(state.snapshot, message.body);
      return next ? withSnapshot(state, next, message.body.head ? now : state.headAt) : 'resync';
    }
    case 'focus':
      return { ...state, focusCalls: state.focusCalls + 1 };
    case 'picked':
      return { ...state, picked: message.body };
    case 'sound':
      return { ...state, sound: message.body.on };
    case 'refused': {
      const { pending: _pending, ...rest } = state;
      return { ...rest, refusal: message.body };
    }
  }
}

function withSnapshot(state: PageState, next: Snapshot, headAt: number): PageState {
  const { pending, refusal, focusCalls, sound } = state;
  const { stage } = next.head;
  return {
    snapshot: next,
    headAt,
    focusCalls,
    sound,
    ...(pending !== undefined && pending === askingOf(stage) && { pending }),
    ...(refusal && concerns(stage, refusal.target) && { refusal }),
  };
}

/** The state once an answer for the present stage is on its way. */
export function sent(state: PageState): PageState {
  const { refusal: _refusal, ...rest } = state;
  const asking = state.snapshot && askingOf(state.snapshot.head.stage);
  return asking === undefined ? rest : { ...rest, pending: asking };
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
