import { action, type Operation, race, spawn, type WithResolvers, withResolvers } from 'effection';
import { isParleyError, toError } from '../../core/errors/errors.ts';
import type { QuestionReply } from '../../panel/inbox.ts';
import type { Action, Question } from '../../panel-port/index.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Asker } from '../calls/asker.ts';
import { NEW_VERSION } from '../calls/call-entry.ts';
import type { Translate } from '../calls/notices/explain.ts';
import type { CallPanel } from '../panel/call-panel.ts';
import type { Waits } from './whole-events.ts';

/** What a call that sleeps works with. */
export interface AsleepParts {
  readonly panel: Pick<CallPanel, 'store' | 'inbox' | 'visible' | 'subscribe'>;
  readonly asker: Asker;
  readonly durable: boolean;
  /** Whoever asked for it comes back by itself. */
  readonly comesBack: boolean;
  readonly waits: Waits;
  readonly t: Translate;
  /** Takes the call up, by the tool as it is now. @throws what a person can do something about */
  resume(replay: 'lenient' | undefined): Operation<Session>;
  /** It goes on: from here on its session says what is shown. `forClient`: whoever asked for it sees to it. */
  awake(session: Session, forClient: boolean): void;
}

/** A call of an earlier window: its panel shows where it stands, and nothing of it runs until somebody wants it to. */
export interface Asleep {
  /** Sees to it, until the call goes on. */
  run(): Operation<void>;
  /** Takes it up now. */
  wake(): Operation<Session>;
  /** Takes it up for whoever asked for it, who is back; nothing when it cannot go on. */
  wakeForClient(): Operation<Session | undefined>;
  /** Whoever asked for it hears what comes of it. */
  callerIsBack(): void;
  /** Does what a button of its panel says; false for one that is not its own. */
  act(id: string): boolean;
}

/** Buttons of a call that sleeps. */
const CONTINUE = 'continue';

type Want = 'shown' | 'asked' | 'lenient' | 'client';

interface Reply {
  readonly questionId: string;
  readonly attempt: number;
  readonly answer: QuestionReply;
}

/**
 * A call that sleeps. It wakes when it does more than wait for a person, when its panel is seen, or when it is answered. One whose
 * caller has gone does nothing before the person answers or says so, for nobody knows whether it is still wanted.
 */
export function createAsleep(parts: AsleepParts): Asleep {
  const { panel, asker, t } = parts;
  const { store } = panel;
  const session = withResolvers<Session>('a call is taken up');
  let wanted: WithResolvers<Want> = withResolvers();
  let stuck = withResolvers<undefined>('a call cannot be taken up');
  const comesBack = asker.kind !== 'person' && parts.comesBack;
  // A conversation of the chat goes on with its next turn, so its call does not wait to be wanted.
  const ofChat = asker.kind === 'chat';
  const gone = asker.kind !== 'person' && !comesBack && !ofChat;

  const pause = (message: string | undefined, actions: readonly Action[] = [], waits = false): void =>
    store.dispatch({
      type: 'pause',
      pause: message === undefined ? undefined : { message, actions: [...actions] },
      waits,
      time: Date.now(),
    });
  const goOn = (label: string): Action => ({ id: CONTINUE, label, primary: true });
  let heard = !ofChat;
  const sayOfChat = (): void => {
    if (heard) {
      pause(undefined);
      return;
    }
    const text = t(
      '{0} started this call before the window was closed. It gets the result with your next message in that conversation.',
      asker.kind === 'person' ? '' : asker.name,
    );
    pause(text);
  };

  function* taken(want: Want): Operation<Session | undefined> {
    try {
      const resumed = yield* parts.resume(want === 'lenient' ? 'lenient' : undefined);
      const end = resumed.ended();
      if (end?.type !== 'error' || end.error.code !== 'REPLAY_DIVERGED') return resumed;
      diverged(end.error.message);
    } catch (thrown) {
      const error = toError(thrown);
      if (isParleyError(error, 'REPLAY_DIVERGED')) diverged(error.message);
      else pause(error.message, [goOn(t('Try Again'))], true);
    }
    return undefined;
  }
  const diverged = (message: string): void =>
    pause(message, [{ id: NEW_VERSION, label: t('Continue with the New Version'), primary: true }], true);

  return {
    *run() {
      const waitsForPerson = parts.waits === 'person';
      if (gone) {
        const why = t(
          '{0} started this call and is no longer connected. Answer or select Continue to resume it; the result stays here.',
          asker.name,
        );
        pause(why, [goOn(t('Continue'))], !waitsForPerson);
      }
      if (ofChat) sayOfChat();
      let reply: Reply | undefined;
      const { question } = store.get();
      const listening = yield* spawn(function* () {
        if (!question) return;
        reply = yield* answered(panel, question);
        busy(panel, question.id, t('Resuming the call…'));
        wanted.resolve('asked');
      });
      if (comesBack && waitsForPerson) {
        const why = t(
          '{0} started this call before the window was closed and can resume it. You can also answer here, or select Continue.',
          asker.name,
        );
        pause(why, [goOn(t('Continue'))]);
      }
      const whenSeen = waitsForPerson && !comesBack && (!gone || parts.durable);
      let want: Want = comesBack ? 'client' : 'asked';
      if (waitsForPerson || gone) want = yield* race([wanted.operation, ...(whenSeen ? [seen(panel)] : [])]);
      for (;;) {
        wanted = withResolvers();
        const resumed = yield* taken(want);
        if (resumed) {
          yield* listening.halt();
          if (gone) pause(t('{0} is no longer connected. The result of this call stays here.', asker.name));
          else sayOfChat();
          parts.awake(resumed, want === 'client');
          if (reply) yield* give(resumed, reply);
          session.resolve(resumed);
          return;
        }
        stuck.resolve(undefined);
        want = yield* wanted.operation;
      }
    },
    *wake() {
      wanted.resolve('asked');
      return yield* session.operation;
    },
    *wakeForClient() {
      stuck = withResolvers('a call cannot be taken up');
      wanted.resolve('client');
      return yield* race([session.operation, stuck.operation]);
    },
    callerIsBack() {
      heard = true;
      // A button says what it has to wait for.
      if (!store.get().pause?.actions?.length && !store.get().end) pause(undefined);
    },
    act(id) {
      if (id !== CONTINUE && id !== NEW_VERSION) return false;
      wanted.resolve(id === CONTINUE ? 'asked' : 'lenient');
      return true;
    },
  };
}

function seen(panel: AsleepParts['panel']): Operation<Want> {
  return action((resolve) => {
    const look = () => {
      if (panel.visible) resolve('shown');
    };
    look();
    return panel.subscribe(look);
  });
}

function* answered(
  { inbox }: AsleepParts['panel'],
  { id, attempt }: Pick<Question, 'id' | 'attempt'>,
): Operation<Reply> {
  return { questionId: id, attempt, answer: yield* inbox.question(id, attempt) };
}

function busy({ store }: AsleepParts['panel'], askId: string, note: string): void {
  store.dispatch({ type: 'body', askId, body: { kind: 'busy', note } });
}

/** What was answered before the call could take it. One that the tool does not ask any more is void. */
function* give(session: Session, { questionId, attempt, answer }: Reply): Operation<void> {
  try {
    yield* session.respond(questionId, answer, attempt);
  } catch (error) {
    if (!isParleyError(error)) throw error;
  }
}
