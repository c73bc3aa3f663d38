import {
  blocksOf,
  type ContentBlock,
  type Message,
  type ToolResultContent,
  type ToolUseContent,
} from '../../messages/content.ts';
import type { SampleExchange, ToolSampleExchange } from '../sample.ts';

/** What we answer a model's `tool_use` with when nobody has a better result. */
export const ACKNOWLEDGEMENT = 'Received.';

/**
 * The exchange of a sampling. A response that calls tools is acknowledged by a third message, for the protocol wants
 * every `tool_use` answered.
 *
 * @see MCP 2025-11-25, "Sampling", "Tool result messages"
 */
export function sampleExchange(request: Message, response: Message): ToolSampleExchange {
  return {
    ...withResults(request, response, () => ({ content: textBlocks(ACKNOWLEDGEMENT) })),
    withResults: (fn) =>
      withResults(request, response, (call) => {
        const result = fn(call);
        return { content: typeof result === 'string' ? textBlocks(result) : result };
      }),
  };
}

/** The user message that tells the model what was wrong with its calls. */
export function refusedCalls(response: Message, problem: string): Message | undefined {
  return resultsFor(response, () => ({ content: textBlocks(problem), isError: true }));
}

function withResults(
  request: Message,
  response: Message,
  resultOf: (call: ToolUseContent) => Pick<ToolResultContent, 'content' | 'isError'>,
): SampleExchange {
  const results = resultsFor(response, resultOf);
  return { request, response, messages: results ? [request, response, results] : [request, response] };
}

function resultsFor(
  response: Message,
  resultOf: (call: ToolUseContent) => Pick<ToolResultContent, 'content' | 'isError'>,
): Message | undefined {
  const calls = blocksOf(response).filter((block) => block.type === 'tool_use');
  if (calls.length === 0) return undefined;
  return {
    role: 'user',
    content: calls.map((call) => ({ type: 'tool_result', toolUseId: call.id, ...resultOf(call) })),
  };
}

function textBlocks(text: string): readonly ContentBlock[] {
  return [{ type: 'text', text }];
}
