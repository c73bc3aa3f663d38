import type { Operation } from 'effection';
import type { Message, MessageContent } from '#src/core/messages/content.ts';
import type { SampleAnswer, SampleAskRequest } from '#src/core/tool/ask.ts';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import { createSampling, type SamplingVerbs } from '#src/runtime/sampling/sampling.ts';

/** What the scripted model says: text, content, or a whole answer. */
export type Scripted = string | MessageContent | readonly MessageContent[] | SampleAnswer;

/** Sampling verbs over a model that says what it is told to, and records what it was asked. */
export interface ScriptedModel extends SamplingVerbs {
  readonly requests: SampleAskRequest[];
  readonly keys: Array<string | undefined>;
  readonly history: Message[];
}

/** Makes a {@link ScriptedModel}. Without capabilities given it can do all. */
export function scriptedModel(
  answers: readonly Scripted[],
  options: { capabilities?: ClientCapabilities; systemPrompt?: string } = {},
): ScriptedModel {
  const requests: SampleAskRequest[] = [];
  const keys: Array<string | undefined> = [];
  const history: Message[] = [];
  const left = [...answers];
  const verbs = createSampling({
    toolName: 'test',
    *sampleOnce(request, key): Operation<SampleAnswer> {
      requests.push(request);
      keys.push(key);
      const next = left.shift();
      if (next === undefined) throw new Error(`no answer is scripted for request ${requests.length}`);
      return answerOf(next);
    },
    capabilities: () => options.capabilities ?? { sampling: { tools: true } },
    history: () => [...history],
    remember: (request, response) => void history.push(request, response),
    systemPrompt: () => options.systemPrompt,
  });
  return { ...verbs, requests, keys, history };
}

function answerOf(scripted: Scripted): SampleAnswer {
  if (typeof scripted === 'string') {
    return {
      role: 'assistant',
      content: { type: 'text', text: scripted },
      model: 'scripted',
      stopReason: 'endTurn',
    };
  }
  if ('role' in scripted) return scripted;
  return { role: 'assistant', content: scripted, model: 'scripted', stopReason: 'toolUse' };
}

/** A `tool_use` block. */
export function calls(name: string, input: unknown, id = `id-${name}`): MessageContent {
  return { type: 'tool_use', id, name, input: input as Record<string, unknown> };
}

/** A user message of text. */
export function user(text: string): Message {
  return { role: 'user', content: { type: 'text', text } };
}

/** An assistant message of text. */
export function assistant(text: string): Message {
  return { role: 'assistant', content: { type: 'text', text } };
}
