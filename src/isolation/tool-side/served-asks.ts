import { type Operation, until } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import type { ViewReference } from '../../core/plugin/view.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { AskGate } from '../../runtime/call/tool-side.ts';
import { runHandler, type ViewPort } from '../../runtime/context/run-handler.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import { answerOf, type ElicitAsk } from '../../runtime/session/ask.ts';
import type { AnswerVerdict, AskDraft, SettledAsk } from '../../runtime/session/open-ask.ts';
import type { Handlers } from '../wire/contract.ts';
import type { RealmMethods } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';

/** Where the views of a handler appear when the panel is in another realm. */
function servedViews(panel: SessionPeer): ViewPort {
  return {
    render: (view, props) => panel.call('render', viewData(view, props)),
    show: (view, props) => panel.call('show', viewData(view, props)),
    reportProgress: (message, progress) => panel.call('busy', { message, ...defined({ progress }) }),
  };
}

function viewData({ key, name }: ViewReference, props: JsonObject) {
  return { reference: { kind: 'parley.view' as const, key, name }, props };
}

/** The call whose asks these are. */
interface OwningCall {
  readonly over: boolean;
  readonly session: SessionPeer;
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
    if (this.#call.over) throw new CallEndedError({ verb: subject.kind });
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
    this.#open.add(draft);
    try {
      // JSON was made of the subject before it came here.
      const asked = { depth, ...defined({ key, said }), subject: subject as never };
      const { id, answer } = yield* this.#call.session.call('ask', asked, handlers);
      // Only the content of an accepted question has been checked before; its shape is known to be right.
      const verdict = fitted ?? draft.check(id, answerOf(answer));
      if (verdict instanceof Promise || !verdict.ok) throw new Error(`the answer to '${id}' was not checked`);
      return { id, value: fitted ? { ...Object(verdict.value), ...whose(answer) } : verdict.value };
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

/** Whose it is was known there, and not where its content was checked. */
function whose(answer: JsonValue): object {
  const { answeredBy } = Object(answer) as ElicitAnswer;
  return defined({ answeredBy });
}

/** Checks an answer with the original schema. */
function* check(draft: AskDraft, content: JsonValue): Operation<AnswerVerdict> {
  try {
    const verdict = draft.check('', { action: 'accept', content });
    return verdict instanceof Promise ? yield* until(verdict) : verdict;
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
