import { action, type Operation, race, spawn, type WithResolvers, withResolvers } from 'effection';
import type { StayingCall } from '../../../calls/port.ts';
import { isParleyError, toError } from '../../../core/errors/errors.ts';
import type { QuestionReply } from '../../../panel/inbox.ts';
import type { Action } from '../../../panel-port/index.ts';
import type { CallStore } from '../../../runtime/journal/call-store.ts';
import type { Session } from '../../../runtime/session/session.ts';
import type { Asker } from '../asker.ts';
import { NEW_VERSION, type WaitingCall } from '../call-entry.ts';
import type { Translate } from '../notices/explain.ts';
import type { CallPanel } from '../panel/call-panel.ts';
import type { Waits } from './whole-events.ts';

/** What a call that waits works with. */
export interface WaitingParts {
  readonly panel: Pick<CallPanel, 'store' | 'inbox' | 'visible' | 'subscribe'>;
  readonly asker: Asker;
  readonly durable: boolean;
  /** Its client comes back by itself. */
  readonly comesBack: boolean;
  readonly waits: Waits;
  readonly t: Translate;
  /** Takes the call up, by the tool as it is now. @throws what a person can do something about */
  resume(replay: 'lenient' | undefined): Operation<Session>;
  /** It runs here: from now on its session says what is shown. */
  attached(session: Session): void;
  /** Answers it in the editor; `byClient`: beside the client that is back. */
  drive(session: Session, byClient: boolean): void;
  /** Ends it: the person does not want it any more. */
  end(): Operation<void>;
}

/** A button of a call that waits. */
const CONTINUE = 'continue';

type Want = 'panel' | 'lenient' | 'client';

/** At the beginning of a sentence. The name of a client stays as it was given. */
function nameOf(asker: Asker): string {
  if (asker.kind === 'person') return '';
  const { name } = asker;
  return asker.kind === 'agent' ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/**
 * A call that waits. Its panel attaches when it does more than wait for a person, when the panel is seen, or when it is answered. One whose
 * caller has gone does nothing before the person answers or says so, for nobody knows whether it is still wanted.
 */
export function createWaitingCall(parts: WaitingParts): WaitingCall {
  const { panel, asker, comesBack, t } = parts;
  const { store } = panel;
  const session = withResolvers<Session>('a call is taken up');
  const stopped = withResolvers<undefined>('a call is stopped');
  let wanted: WithResolvers<Want> = withResolvers();
  let stuck = withResolvers<undefined>('a call cannot be taken up');
  let isLeft = asker.kind !== 'person';
  const name = nameOf(asker);
  // A conversation of the chat goes on with its next turn, so its call does not wait to be wanted.
  const ofChat = asker.kind === 'chat';
  const gone = isLeft && !ofChat && !comesBack;

  const pause = (message: string | undefined, actions: readonly Action[] = [], waits = false): void =>
    store.dispatch({
      type: 'pause',
      pause: message === undefined ? undefined : { message, actions: [...actions] },
      waits,
      time: Date.now(),
    });
  const goOn = (label: string): Action => ({ id: CONTINUE, label, primary: true });
  const newVersion = { id: NEW_VERSION, label: t('Continue with the New Version'), primary: true };

  const sayWaits = (forPerson: boolean): void => {
    if (gone) {
      const text = t(
        '{0} started this call and is no longer connected. Answer or select Continue to resume it; the result stays here.',
        name,
      );
      pause(text, [goOn(t('Continue'))], !forPerson);
    } else if (comesBack && forPerson) {
      const text = t(
        '{0} started this call before the window was closed and can resume it. You can also answer here, or select Continue.',
        name,
      );
      pause(text, [goOn(t('Continue'))]);
    } else if (ofChat) sayRuns();
  };
  const sayRuns = (): void => {
    if (gone) pause(t('{0} is no longer connected. The result of this call stays here.', name));
    else if (!ofChat || !isLeft) pause(undefined);
    else
      pause(
        t(
          '{0} started this call before the window was closed. It gets the result with your next message in that conversation.',
          name,
        ),
      );
  };

  function* taken(want: Want): Operation<Session | undefined> {
    try {
      const resumed = yield* parts.resume(want === 'lenient' ? 'lenient' : undefined);
      const end = resumed.ended();
      if (end?.type !== 'error' || end.error.code !== 'REPLAY_DIVERGED') return resumed;
      pause(end.error.message, [newVersion], true);
    } catch (thrown) {
      const error = toError(thrown);
      const button = isParleyError(error, 'REPLAY_DIVERGED') ? newVersion : goOn(t('Try Again'));
      pause(error.message, [button], true);
    }
    return undefined;
  }
  function* see(): Operation<void> {
    const forPerson = parts.waits === 'person';
    const { question } = store.get();
    sayWaits(forPerson);
    let reply: { readonly answer: QuestionReply } | undefined;
    const answering = yield* spawn(function* () {
      if (!question) return;
      reply = { answer: yield* panel.inbox.question(question.id, question.attempt) };
      const note = t('Resuming the call…');
      store.dispatch({ type: 'body', askId: question.id, body: { kind: 'busy', note } });
      wanted.resolve('panel');
    });
    const whenSeen = forPerson && !comesBack && (!gone || parts.durable);
    let want: Want = comesBack ? 'client' : 'panel';
    if (forPerson || gone) want = yield* race([wanted.operation, ...(whenSeen ? [seen(panel)] : [])]);
    for (; ; want = yield* wanted.operation) {
      wanted = withResolvers();
      const resumed = yield* taken(want);
      if (!resumed) {
        stuck.resolve(undefined);
        continue;
      }
      yield* answering.halt();
      sayRuns();
      parts.attached(resumed);
      parts.drive(resumed, want === 'client');
      if (question && reply) yield* give(resumed, question, reply.answer);
      session.resolve(resumed);
      return;
    }
  }

  return {
    *run() {
      yield* race([see(), stopped.operation]);
    },
    *attach() {
      wanted.resolve('panel');
      return yield* session.operation;
    },
    *takeUp() {
      stuck = withResolvers('a call cannot be taken up');
      wanted.resolve(comesBack ? 'client' : 'panel');
      const resumed = yield* race([session.operation, stuck.operation, stopped.operation]);
      if (resumed && comesBack) isLeft = false;
      return resumed;
    },
    callerIsBack() {
      isLeft = false;
      // A button says what it has to wait for.
      if (!store.get().pause?.actions?.length && !store.get().end) pause(undefined);
    },
    isLeft: () => isLeft,
    act(id) {
      if (id !== CONTINUE && id !== NEW_VERSION) return false;
      wanted.resolve(id === CONTINUE ? 'panel' : 'lenient');
      return true;
    },
    *stop() {
      stopped.resolve(undefined);
      yield* parts.end();
    },
  };
}

/** Takes a call up when somebody has left something for it. */
export function* takeUpForMessages(
  opened: () => Operation<CallStore>,
  {
    call,
    hasMessages,
  }: { readonly call: Pick<StayingCall, 'name' | 'claim'>; readonly hasMessages: boolean },
  waiting: Pick<WaitingCall, 'takeUp'>,
): Operation<void> {
  const store = yield* opened();
  let told = withResolvers<void>('a call is told of');
  const stop = store.watch(call.name, () => told.resolve());
  try {
    for (let isTold = hasMessages; ; isTold = true) {
      const { claim } = call;
      if (isTold && claim && (yield* store.take(claim)).length > 0) yield* waiting.takeUp();
      yield* told.operation;
      told = withResolvers('a call is told of');
    }
  } finally {
    stop();
  }
}

function seen(panel: WaitingParts['panel']): Operation<Want> {
  return action((resolve) => {
    const look = () => {
      if (panel.visible) resolve('panel');
    };
    look();
    return panel.subscribe(look);
  });
}

/** What was answered before the call could take it. One that the tool does not ask any more is void. */
function* give(
  session: Session,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  answer: QuestionReply,
): Operation<void> {
  try {
    yield* session.respond(id, answer, attempt);
  } catch (error) {
    if (!isParleyError(error)) throw error;
  }
}
