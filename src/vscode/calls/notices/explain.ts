import type { ShownEnding } from '../../../panel/model/ending.ts';
import type { Action } from '../../../panel-port/index.ts';
import { type EndEvent, RELEASED } from '../../../runtime/session/events.ts';

/** Translates a text of the editor: `vscode.l10n.t`. */
export type Translate = (message: string, ...values: string[]) => string;

/** What the person can press at the end of a call. */
export type EndAction =
  | 'goToLine'
  | 'debugAgain'
  | 'runAgain'
  | 'chooseModel'
  | 'signIn'
  | 'tryAgain'
  | 'addToChat'
  | 'runKeeping';

/** What is known of a call at its end. */
export interface EndFacts {
  /** A sampling failed for want of a model although the tool went on without it. */
  readonly lackedModel?: boolean;
  /** The error came through a line of the author's files. */
  readonly hasLine?: boolean;
  /** The tool is one that can be debugged here. */
  readonly debuggable?: boolean;
  /** The person at the keyboard started it. */
  readonly own?: boolean;
  /** Its caller is gone, and does not get the result. */
  readonly left?: boolean;
  /** The person answered something in it. */
  readonly answered?: boolean;
}

/** What the editor says and offers at the end of a call. At the end of another caller's call, only the way to the line that failed. */
export function explainEnd(
  event: EndEvent,
  t: Translate,
  { lackedModel, hasLine, debuggable, own = true, left, answered }: EndFacts = {},
): ShownEnding {
  const labels: Record<EndAction, string> = {
    goToLine: t('Go to Line'),
    debugAgain: t('Debug Again…'),
    runAgain: t('Run Again…'),
    chooseModel: t('Choose Model…'),
    signIn: t('Sign In…'),
    tryAgain: t('Try Again'),
    addToChat: t('Add to Chat'),
    runKeeping: t('Run Again with Same Answers…'),
  };
  const offer = (...ids: EndAction[]): Action[] =>
    ids.map((id, at) => ({ id, label: labels[id], ...(at === 0 ? { primary: true } : {}) }));

  const debug: EndAction[] = debuggable ? ['debugAgain'] : [];
  const keeping: EndAction[] = answered && event.type !== 'result' ? ['runKeeping'] : [];
  const line: EndAction[] = hasLine ? ['goToLine'] : [];
  // It would be run twice.
  if (isElsewhere(event)) return { actions: [] };
  if (!own && left && event.type === 'result') return { actions: offer('addToChat') };
  if (!own) return { actions: offer(...line) };
  if (event.type !== 'error') {
    return { actions: lackedModel ? offer('runAgain', 'chooseModel') : offer('runAgain', ...keeping) };
  }
  // With what was answered, it comes back to the step that failed.
  const again: EndAction = answered ? 'tryAgain' : 'runAgain';
  switch (event.error.code) {
    case 'SAMPLING_NO_MODEL':
      // Its message says what to do. Where none was named, there is none to choose from.
      return { actions: offer(again, event.error.details?.model === undefined ? 'signIn' : 'chooseModel') };
    case 'SAMPLING_REFUSED':
      return {
        hint: t(
          'This tool asks a language model. Run it again to allow the request, or choose another model.',
        ),
        actions: offer(again, 'chooseModel'),
      };
    case 'SAMPLING_QUOTA':
      return {
        hint: t('Wait a moment and run the tool again, or choose another model.'),
        actions: offer(again, 'chooseModel'),
      };
    case 'SAMPLING':
      return {
        hint: t('The request to the model failed. See the log for details.'),
        actions: offer(again, 'chooseModel'),
      };
    case 'TIMEOUT':
      return {
        hint: t('Excludes the time you took to answer.'),
        actions: offer(...line, 'runAgain'),
      };
    default:
      return { actions: offer(...line, ...debug, 'runAgain', ...keeping) };
  }
}

/** An end as the person is told of it: a call that another window has taken up has neither failed nor been stopped by anybody. */
export function shownEnd(event: EndEvent, t: Translate): EndEvent {
  if (!isElsewhere(event)) return event;
  const { at, time } = event;
  return { at, time, type: 'aborted', reason: t('This call continues in another window.') };
}

/** Whether a call ended in this window only: another one has taken it up. */
export function isElsewhere(event: EndEvent): boolean {
  if (event.type === 'aborted') return event.reason === RELEASED;
  return event.type === 'error' && event.error.code === 'CLAIM_LOST';
}

/** Whether a call failed for how things are, such as a model that is away: where the code of Parley was then says nothing about it. */
export function isOfTheWorld(event: EndEvent): boolean {
  return event.type === 'error' && event.error.code?.startsWith('SAMPLING') === true;
}
