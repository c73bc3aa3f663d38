import type { Operation } from 'effection';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import type { PluginSamplingConfig, SamplingContext, SamplingProvider } from '../../core/plugin/plugin.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import { checkMessages } from './check-messages.ts';

/**
 * Puts a plugin's steps around its samplings: `before` prepares the messages, `act` does the sampling, `after` changes or
 * checks what came back. Without any of them the provider itself.
 *
 * @throws `SampleOptionsError` for messages of theirs that no model takes; `ToolCodeError` where one of them gives nothing
 */
export function withSamplingSteps(
  config: PluginSamplingConfig,
  facts: Omit<SamplingContext, 'request'>,
  provider: SamplingProvider,
): SamplingProvider {
  const { before, act, after } = config;
  if (!before && !act && !after) return provider;
  return function* sampleInSteps(request: SampleAskRequest): Operation<SampleAnswer> {
    const ctx: SamplingContext = {
      toolName: facts.toolName,
      callId: facts.callId,
      request,
      // Read when asked for: making an AbortSignal costs, and most steps need none.
      get signal() {
        return facts.signal;
      },
      get step() {
        return facts.step;
      },
    };
    const send: SamplingProvider = (sent) => {
      // What the call's own code gave has been checked.
      if (sent.messages !== request.messages) checkMessages(sent.messages);
      return provider(sent);
    };
    const messages = before ? yield* before.call(config, request.messages, ctx) : request.messages;
    if (!Array.isArray(messages)) throw gaveNothing(facts.toolName, 'before', 'messages');
    const prepared = messages === request.messages ? request : { ...request, messages };
    const answer = act ? yield* act.call(config, prepared, send, ctx) : yield* send(prepared);
    if (!isObject(answer)) throw gaveNothing(facts.toolName, 'act', 'answer');
    if (!after) return answer;
    const changed = yield* after.call(config, answer, ctx);
    if (!isObject(changed)) throw gaveNothing(facts.toolName, 'after', 'answer');
    return changed;
  };
}

function gaveNothing(toolName: string, step: string, what: string): Error {
  return new ToolCodeError({
    toolName,
    problem: `the sampling step '${step}' of its plugin gave no ${what}: return what it was given, or something in its place`,
  });
}
