import { type Operation, suspend } from 'effection';
import { BranchTokensError, CallTokensError } from '../../../core/errors/branch-errors.ts';
import { SampleOptionsError } from '../../../core/errors/sampling-errors.ts';
import { AnswerInvalidError } from '../../../core/errors/session-errors.ts';
import type { JsonValue } from '../../../core/messages/json.ts';
import { isMessageContent } from '../../../core/messages/result-content.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { SampleAnswer, SampleAskRequest } from '../../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../../core/tool/context.ts';
import type { Frame } from '../../call/frame.ts';
import type { ToolSide } from '../../call/tool-side.ts';
import { toJson } from '../../data/json-data.ts';
import { jsonMessages } from '../../data/json-messages.ts';
import type { Said } from '../../journal/said.ts';
import { tokensUsed } from '../../sampling/index.ts';
import type { Answer } from '../../session/ask.ts';
import { requirementOf } from '../../session/capabilities.ts';
import type { AnswerVerdict } from '../../session/open-ask.ts';
import { mayBegin } from '../step.ts';

/** Sends one request to the client's model, within the token budgets of the branch and of all above it. */
export function* askModel(
  call: ToolSide,
  frame: Frame,
  request: SampleAskRequest,
  key: string | undefined,
  said?: Said,
): Operation<SampleAnswer> {
  yield* mayBegin(call, frame, 'sample', 'asks a model');
  call.require(requirementOf({ kind: 'sample', request }));
  if (key?.includes('#')) throw new SampleOptionsError(`a key has no '#', as '${key}' has`);
  const left = yield* tokensLeft(frame);
  const able = withContext(request, call.gate.capabilities());
  const sent = jsonRequest(able, Math.min(request.maxTokens, left));
  frame.lastPrompt = sent.systemPrompt ?? frame.lastPrompt;

  const { value } = yield* call.ask({
    subject: { kind: 'sample', request: sent },
    key,
    depth: frame.depth,
    frame,
    check: checkSampleAnswer,
    ...defined({ said }),
  });
  const answer = value as SampleAnswer;
  // Counting reads the whole history: only where there is a budget.
  if (isLimited(frame)) yield* charge(frame, tokensUsed(sent, answer));
  return answer;
}

/** The conversation is asked for only where the client can look into it. */
function withContext(
  request: SampleAskRequest,
  capabilities: ClientCapabilities | undefined,
): SampleAskRequest {
  const { includeContext, ...rest } = request;
  const asks = includeContext !== undefined && includeContext !== 'none';
  return asks && !capabilities?.sampling?.context ? rest : request;
}

function jsonRequest({ messages, ...settings }: SampleAskRequest, maxTokens: number): SampleAskRequest {
  const sent = jsonMessages(messages);
  const json = toJson(settings);
  const problem = sent.problem ?? (json.ok ? undefined : json.problem);
  if (problem !== undefined) throw new SampleOptionsError(`what is sent to a model is JSON: ${problem}`);
  const request = { ...settings, ...(json.ok ? (json.value as object) : {}), messages: [], maxTokens };
  return Object.defineProperty(request, 'messages', { get: sent.list, enumerable: true });
}

function isLimited(frame: Frame): boolean {
  for (let at: Frame | undefined = frame; at; at = at.parent) if (at.tokens) return true;
  return false;
}

/** Tokens that the tightest budget has left. One that is used up ends its branch. */
function* tokensLeft(frame: Frame): Operation<number> {
  let left = Number.POSITIVE_INFINITY;
  for (let at: Frame | undefined = frame; at; at = at.parent) {
    if (!at.tokens) continue;
    if (at.tokens.used >= at.tokens.allowed) yield* overspent(at);
    left = Math.min(left, at.tokens.allowed - at.tokens.used);
  }
  return left;
}

function* charge(frame: Frame, tokens: number): Operation<void> {
  let spent: Frame | undefined;
  for (let at: Frame | undefined = frame; at; at = at.parent) {
    if (!at.tokens) continue;
    at.tokens.used += tokens;
    // The outermost branch that has spent its tokens ends; it takes those inside along.
    if (at.tokens.used > at.tokens.allowed && (at.fail || !spent)) spent = at;
  }
  if (spent) yield* overspent(spent);
}

// A branch's limit is thrown at `ctx.branch`, where nothing in the branch can catch it; the call's at the sampling.
function* overspent({ tokens, fail }: Frame): Operation<void> {
  const { used = 0, allowed = 0 } = tokens ?? {};
  if (!fail) throw new CallTokensError({ used, allowed });
  fail(new BranchTokensError({ used, allowed }));
  yield* suspend();
}

/** Checks an answer for its shape: what the model said is for the sampling verbs. @throws `AnswerInvalidError` */
export function checkSampleAnswer(id: string, given: Answer): AnswerVerdict {
  const json = toJson(given);
  if (!json.ok) throw new AnswerInvalidError({ askId: id, problem: `it is not JSON: ${json.problem}` });
  const answer = json.value as Partial<SampleAnswer> | null | undefined;
  if (typeof answer?.content !== 'object' || answer.content === null) {
    throw new AnswerInvalidError({
      askId: id,
      problem: 'a sampling is answered with { role, content, model }',
    });
  }
  if (![answer.content].flat().every(isMessageContent)) {
    throw new AnswerInvalidError({
      askId: id,
      problem: "its content is neither a content block nor a list of them: write { type: 'text', text: '…' }",
    });
  }
  const { model = 'unknown', ...rest } = answer;
  const value = { ...rest, role: 'assistant', content: answer.content, model };
  return { ok: true, value, answer: value as unknown as JsonValue };
}
