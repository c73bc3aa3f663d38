import { type Operation, race, scoped, spawn, withResolvers } from 'effection';
import type { CallSnapshot } from '../calls/messages.ts';
import type { CallAttachment, Calls } from '../calls/port.ts';
import { toError } from '../core/errors/parley-error.ts';
import type { Message, ToolResultContent, ToolUseContent } from '../core/messages/content.ts';
import { asLabel } from '../core/messages/label.ts';
import { toolOf } from '../core/plugin/offer.ts';
import { defined } from '../core/schema/defined.ts';
import { unreadableInput } from '../core/tool/tool-input.ts';
import { drive } from '../runtime/drive/drive.ts';
import type { ElicitAsk } from '../runtime/session/ask.ts';
import { composeCapabilities } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { Session } from '../runtime/session/session.ts';
import { callNameOf } from './call-ids.ts';
import { clientOf } from './client-of.ts';
import type { ChatEvent } from './events.ts';
import { fitHistory } from './fit-history.ts';
import { followToEnd, questionEventOf } from './follow.ts';
import { modelClient } from './model-client.ts';
import type { ChatEngineOptions } from './options.ts';
import { errorResult, resultOf } from './results.ts';
import type { AwaitingCall } from './state.ts';

/** Where a call stands when its turn stops looking at it. */
export type CallOutcome =
  | { readonly type: 'done'; readonly result: ToolResultContent }
  | { readonly type: 'awaiting'; readonly call: AwaitingCall };

/** What a turn gives its calls. */
export interface TurnIo {
  readonly calls: Calls;
  readonly conversation: string;
  emit(event: ChatEvent): Operation<void>;
  /** Resolves when the caller stops the turn. */
  readonly stopped: Operation<void>;
}

/** How much of a conversation its calls are handed, characters of JSON: it is kept with each of them. */
const HANDED_ON = 100_000;

/**
 * Starts the call a model asked for and takes it as far as it goes. Never throws: what fails is the model's to read.
 *
 * @param messages the conversation before the answer that asks for it: its tool reads the newest of it
 */
export function* startModelCall(
  use: ToolUseContent,
  messages: readonly Message[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  yield* io.emit({ type: 'tool_call', callId: use.id, toolName: use.name, input: use.input });
  return yield* guarded(use.id, function* () {
    const note = options.catchUp && (yield* options.catchUp(use.name));
    const outcome = yield* guarded(use.id, () => start(use, messages, options, io));
    if (note === undefined || outcome.type === 'awaiting') return outcome;
    const content = [...outcome.result.content, { type: 'text', text: note } as const];
    return { type: 'done', result: { ...outcome.result, content } };
  });
}

/** Takes a call that waited as far as it goes now. What happened in it up to `after` is no news. Never throws. */
export function* resumeCall(
  { callId }: AwaitingCall,
  after: number,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  const name = callNameOf(callId, io.conversation, options);
  return yield* guarded(callId, () =>
    advance(callId, after, options, io, (attachment) => io.calls.attach(name, attachment, 'blocked')),
  );
}

function* guarded(callId: string, op: () => Operation<CallOutcome>): Operation<CallOutcome> {
  try {
    return yield* scoped(op);
  } catch (error) {
    return { type: 'done', result: errorResult(callId, toError(error).message) };
  }
}

function* start(
  use: ToolUseContent,
  messages: readonly Message[],
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  const entries = options.tools();
  const entry = entries.find((one) => toolOf(one).name === use.name);
  if (!entry) {
    const names = entries.map((one) => toolOf(one).name).join(', ') || 'none';
    return {
      type: 'done',
      result: errorResult(use.id, `There is no tool "${asLabel(use.name)}". Tools there are: ${names}.`),
    };
  }
  const unread = unreadableInput(use);
  if (unread !== undefined) {
    return { type: 'done', result: errorResult(use.id, `"${use.name}" did not run: ${unread}.`) };
  }
  const proposed = { callId: use.id, tool: toolOf(entry), input: use.input };
  if (options.confirm && !(yield* options.confirm(proposed))) {
    const text = `The user did not allow "${use.name}" to run. Continue without it, or ask the user what they want instead.`;
    return { type: 'done', result: errorResult(use.id, text) };
  }
  const { conversation } = io;
  const { principal, waiting, manager } = options;
  const { callId } = callNameOf(use.id, conversation, options);
  const own = {
    tool: entry,
    params: use.input,
    callId,
    conversation,
    parentMessages: fitHistory(messages, HANDED_ON).messages,
    ...defined({ principal }),
  };
  return yield* advance(use.id, 0, options, io, (attachment) => {
    const capabilities =
      waiting.mode === 'stay'
        ? composeCapabilities([waiting.capabilities, ...samplers(options).map((one) => one.capabilities())])
        : attachment.client.capabilities();
    const create = function* (how: { readonly retain?: boolean }) {
      const session = yield* manager.create({ ...own, capabilities, ...how });
      if (waiting.mode === 'stay') yield* waiting.open(session);
      return session;
    };
    return io.calls.start({ ...attachment, movable: false, create }, { digest: '' });
  });
}

/** Takes a call as far as it goes: to its end, to an open question, or to the turn's stop. */
function* advance(
  callId: string,
  after: number,
  options: ChatEngineOptions,
  io: TurnIo,
  run: (attachment: CallAttachment) => Operation<CallSnapshot>,
): Operation<CallOutcome> {
  const attached = withResolvers<Session>('a call of the chat is there');
  const client = clientOf(callId, options, io.emit);
  function* stopped(): Operation<Session> {
    const session = yield* attached.operation;
    yield* io.stopped;
    return session;
  }
  const going = run({
    client,
    after,
    *attended(session, go) {
      attached.resolve(session);
      if (options.waiting.mode === 'stay') {
        for (const sampler of samplers(options)) yield* spawn(() => drive(session, sampler, 'end'));
        const { at = Number.POSITIVE_INFINITY } = session.ended() ?? {};
        if (at > after) yield* followToEnd(callId, session, io.emit, after);
      }
      return yield* go(client);
    },
    *resume() {
      throw new Error('a call of a conversation goes on where it was begun');
    },
  });
  const now = yield* race([going, stopped()]);
  if ('openAsks' in now) return yield* leave(callId, now, options, io);
  if (now.end) return { type: 'done', result: resultOf(callId, now.end) };
  const session = yield* attached.operation;
  const question = openQuestion(session);
  if (question) yield* io.emit(questionEventOf(session, question, callId));
  return { type: 'awaiting', call: awaitingOf(callId, session) };
}

/** Who samples beside a surface that cannot. */
function samplers({ waiting, model }: ChatEngineOptions): readonly Client[] {
  return waiting.mode === 'stay' && !waiting.capabilities.sampling ? [modelClient(model)] : [];
}

/** What a stopped turn does with a call: an open question stays, anything else is aborted. */
function* leave(
  callId: string,
  session: Session,
  options: ChatEngineOptions,
  io: TurnIo,
): Operation<CallOutcome> {
  if (!session.ended() && openQuestion(session))
    return { type: 'awaiting', call: awaitingOf(callId, session) };
  const reason = 'the user stopped the turn';
  const stop = { id: 'stopped', digest: '', stop: reason };
  yield* io.calls.send(callNameOf(callId, io.conversation, options), stop);
  const end = session.ended() ?? { type: 'aborted', at: 0, time: 0, reason };
  return { type: 'done', result: resultOf(callId, end) };
}

function openQuestion(session: Session): ElicitAsk | undefined {
  return session.openAsks().find((ask) => ask.kind === 'elicit');
}

function awaitingOf(callId: string, session: Session): AwaitingCall {
  const question = openQuestion(session);
  const at = session.events().at(-1)?.at ?? 0;
  return { callId, toolName: session.toolName, at, ...(question ? { question } : {}) };
}
