import type { Operation } from 'effection';
import { HandlerError } from '../../core/errors/call-errors.ts';
import { ElicitationPendingError } from '../../core/errors/elicit-errors.ts';
import type { IsolatedTool } from '../../core/errors/isolation-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyElicitHandler, AnyPlugin } from '../../core/plugin/plugin.ts';
import { defined } from '../../core/schema/defined.ts';
import type { BehindContext } from '../../runtime/call/behind-context.ts';
import { checkElicitAnswer } from '../../runtime/context/asks/elicit-ask.ts';
import { checkPageAnswer, pageRequestOf } from '../../runtime/context/asks/page-ask.ts';
import { checkRootsAnswer } from '../../runtime/context/asks/roots-ask.ts';
import { checkSampleAnswer } from '../../runtime/context/asks/sample-ask.ts';
import type { Answer } from '../../runtime/session/ask.ts';
import type { AskSubject } from '../../runtime/session/ask-subject.ts';
import { requirementOf } from '../../runtime/session/capabilities.ts';
import type { AnswerVerdict, AskDraft } from '../../runtime/session/open-ask.ts';
import type { MethodParams, MethodResult } from '../wire/contract.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { RealmPeer } from '../wire/peers.ts';
import { unseenSchema } from '../wire/unseen-schema.ts';
import { runRemoteHandler } from './remote-handler.ts';

/** Whose tool asks. */
export interface RemoteAsker {
  readonly behind: BehindContext;
  readonly tool: IsolatedTool;
  /** The plugin as it stands here; absent for a bare tool. */
  readonly plugin: AnyPlugin | undefined;
}

/**
 * An ask of a tool in another realm: opened there, answered here, checked there. What may not be asked fails where it was asked.
 * `asking` is the other realm within this ask.
 */
export function* remoteAsk(
  asker: RemoteAsker,
  { key, depth, said, ...asked }: MethodParams<SessionMethods, 'ask'>,
  asking: RealmPeer,
): Operation<MethodResult<SessionMethods, 'ask'>> {
  const { call, frame, path, params } = asker.behind;
  const subject = subjectOf(asked.subject as AskSubject);
  const form = subject.kind === 'elicit' && subject.request.mode !== 'url' ? subject.request : undefined;
  call.side.require(requirementOf(subject));
  // Those of tools that another one called take turns.
  const pending = subject.kind === 'elicit' && !path ? call.asks.pendingKey() : undefined;
  if (pending !== undefined) throw new ElicitationPendingError({ key: key ?? 'elicit', pendingKey: pending });
  const { id, value } = yield* call.asks.ask({
    subject,
    ...defined({ path, said }),
    key,
    depth,
    frame: { pause: () => pause(frame, depth, asking) },
    check: (askId, answer) => check(askId, answer, subject, asking),
    ...(form && {
      realm: {
        plugin: pluginFor(asker, asking),
        params,
        // It stays in the realm of the tool, as do the schemas.
        handoff: undefined,
        schema: unseenSchema,
        context: form.context ?? {},
        call,
      },
    }),
  });
  return { id, answer: value as JsonValue };
}

/** The clock of the call is here; those of its branches are there. */
function pause(frame: AskDraft['frame'], depth: number, asking: RealmPeer): () => void {
  const resume = frame.pause();
  if (depth > 0) asking.tell('pause', { paused: true });
  return () => {
    resume();
    if (depth > 0) asking.tell('pause', { paused: false });
  };
}

function check(
  id: string,
  given: Answer,
  subject: AskSubject,
  asking: RealmPeer,
): AnswerVerdict | Promise<AnswerVerdict> {
  const verdict = verdictOf(id, given, subject, asking);
  return verdict instanceof Promise ? verdict.then(withAnswer) : withAnswer(verdict);
}

function verdictOf(
  id: string,
  given: Answer,
  subject: AskSubject,
  asking: RealmPeer,
): AnswerVerdict | Promise<AnswerVerdict> {
  if (subject.kind === 'sample') return checkSampleAnswer(id, given);
  if (subject.kind === 'roots') return checkRootsAnswer(id, given);
  if (subject.request.mode === 'url') return checkPageAnswer(id, given);
  return checkElicitAnswer(id, given, (content) => checkContent(content, asking), {
    ...subject.request.requestedSchema,
  });
}

/** An address is looked at here, too: what comes from the other realm is not believed. @throws `ElicitationOptionsError` */
function subjectOf(subject: AskSubject): AskSubject {
  if (subject.kind !== 'elicit' || subject.request.mode !== 'url') return subject;
  return { ...subject, request: pageRequestOf({ ...subject.request }) };
}

/** What it was parsed to stays there. */
function checkContent(content: JsonValue, asking: RealmPeer): Promise<AnswerVerdict> {
  return new Promise((resolve) => {
    asking.request('check', { content }, (checked) => {
      const problem = checked.ok ? checked.value.problem : checked.error.message;
      resolve(
        problem === undefined
          ? { ok: true, value: undefined, answer: { action: 'accept', content } }
          : { ok: false, problem },
      );
    });
  });
}

/** The plugin with handlers that know which question they are for. */
function pluginFor({ plugin, behind, tool }: RemoteAsker, asking: RealmPeer): AnyPlugin | undefined {
  if (!plugin) return undefined;
  const { toolName, handlers } = plugin.client;
  const handler: AnyElicitHandler = (request, ctx) => {
    // As it stands now: it may have been asked again.
    const found = behind.call.asks.find(request.askId)?.ask;
    if (found?.kind !== 'elicit') throw new HandlerError(`the question '${request.askId}' is closed`);
    return runRemoteHandler(asking, tool, { ...found, ref: { ...found.ref, toolName } }, ctx);
  };
  const named = Object.keys(handlers).map((key) => [key, handler]);
  return { ...plugin, client: { ...plugin.client, handlers: Object.fromEntries(named) } };
}

/** What was answered is what the other realm gets. */
function withAnswer(verdict: AnswerVerdict): AnswerVerdict {
  return verdict.ok ? { ...verdict, value: verdict.answer } : verdict;
}
