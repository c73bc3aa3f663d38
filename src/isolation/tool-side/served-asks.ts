import { Err, Ok, type Operation, type Result } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { AskGate } from '../../runtime/call/tool-side.ts';
import { runHandler } from '../../runtime/context/run-handler.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import type { Delivery } from '../../runtime/journal/replay/replay.ts';
import { saidIn } from '../../runtime/journal/said.ts';
import { answerOf, type ElicitAsk } from '../../runtime/session/ask.ts';
import type { AnswerVerdict, AskDraft, SettledAsk } from '../../runtime/session/open-ask.ts';
import { waitFor } from '../../runtime/taskless/wait.ts';
import type { Handlers, MethodResult } from '../wire/contract.ts';
import type { RealmMethods } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';
import type { Ahead, Recalled } from './ahead.ts';
import { servedViews } from './served-views.ts';

type AnswerTo = MethodResult<SessionMethods, 'ask'>;

/** The call whose asks these are. */
interface OwningCall {
  readonly over: boolean;
  readonly session: SessionPeer;
  readonly ahead: Ahead | undefined;
}

/** The open asks of a call whose session is in another realm: opened here, answered there, checked here. */
export class ServedAsks implements AskGate {
  readonly #call: OwningCall;
  readonly #open = new Set<AskDraft>();

  constructor(call: OwningCall) {
    this.#call = call;
  }

  *ask(draft: AskDraft): Operation<SettledAsk> {
    const { subject, key, depth, frame, said } = draft;
    const { ahead, session } = this.#call;
    if (this.#call.over) throw new CallEndedError(subject.kind);
    let fitted: AnswerVerdict | undefined;
    let resume: (() => void) | undefined;
    const handlers: Handlers<RealmMethods, SessionMethods> = {
      *check({ content }) {
        const verdict = yield* check(draft, content);
        fitted = verdict.ok ? verdict : undefined;
        return verdict.ok ? {} : { problem: verdict.problem };
      },
      pause({ paused }) {
        resume?.();
        resume = paused ? frame.pause() : undefined;
      },
      handle: ({ elicit }, panel) => handle(draft, elicit, panel),
    };
    const recalled: Recalled<AnswerTo> = {
      doing: { t: 'open', kind: subject.kind, name: key, depth, said: said ?? saidIn(subject) },
      read: (line) =>
        recall(draft, line, (verdict) => {
          fitted = verdict;
        }),
    };
    this.#open.add(draft);
    try {
      // JSON was made of the subject before it came here.
      const asked = { depth, ...defined({ key, said }), subject: subject as never };
      const { id, answer } = yield* ahead
        ? ahead.wait('ask', asked, recalled, handlers)
        : session.call('ask', asked, handlers);
      // Only the content of an accepted question has been checked before; its shape is known to be right.
      const verdict = fitted ?? draft.check(id, answerOf(answer));
      if (verdict instanceof Promise || !verdict.ok) throw new Error(`the answer to '${id}' was not checked`);
      return { id, value: verdict.value };
    } finally {
      this.#open.delete(draft);
      resume?.();
    }
  }

  pendingKey(): string | undefined {
    for (const { subject, key } of this.#open) if (subject.kind === 'elicit') return key ?? 'elicit';
    return undefined;
  }
}

/** What the journal says came of an ask; `fits` is told of an answer that does. @throws where it does not fit any more */
function recall(
  draft: AskDraft,
  line: Delivery,
  fits: (verdict: AnswerVerdict) => void,
): Result<AnswerTo> | Promise<Result<AnswerTo>> {
  if (line.t === 'fail') return Err(errorFromData(line.error));
  if (line.t !== 'answer') throw new Error(`'${line.t}' is no answer`);
  const { id, answer } = line;
  const given = (verdict: AnswerVerdict): Result<AnswerTo> => {
    if (!verdict.ok) throw new Error(verdict.problem);
    fits(verdict);
    return Ok({ id, answer: verdict.answer });
  };
  const verdict = draft.check(id, answerOf(answer));
  return verdict instanceof Promise ? verdict.then(given) : given(verdict);
}

/** Checks an answer with the original schema. */
function* check(draft: AskDraft, content: JsonValue): Operation<AnswerVerdict> {
  try {
    const verdict = draft.check('', { action: 'accept', content });
    return verdict instanceof Promise ? yield* waitFor(verdict) : verdict;
  } catch (error) {
    return { ok: false, problem: `it could not be checked (${toError(error).message})` };
  }
}

/** Runs the plugin's handler for a question. */
function* handle(
  { realm }: AskDraft,
  elicit: ElicitAsk,
  panel: SessionPeer,
): Operation<ElicitAnswer<JsonValue>> {
  const answer = yield* runHandler({ realm: () => realm }, elicit, servedViews(panel));
  if (answer.action !== 'accept') return answer;
  const json = toJson(answer.content);
  if (!json.ok) throw new Error(`the handler's answer is not JSON: ${json.problem}`);
  return { action: 'accept', content: json.value ?? null };
}
