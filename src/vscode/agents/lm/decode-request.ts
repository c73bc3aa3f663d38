import type { ContentBlock, Message, MessageContent } from '../../../core/messages/content.ts';
import type { SampleAskRequest } from '../../../core/tool/ask.ts';
import type { LmMessage, LmPart, LmRequest } from '../../calls/sampler/parts.ts';

/** A request to a model of a provider, as a sampling: the way back of `encodeRequest`. Pure. */
export function decodeRequest(
  { messages, tools, toolMode, modelOptions }: LmRequest,
  maxTokens: number,
): SampleAskRequest {
  const given = modelOptions.max_tokens;
  return {
    messages: messages.map(messageOf),
    maxTokens: typeof given === 'number' && given > 0 ? Math.min(given, maxTokens) : maxTokens,
    ...(typeof modelOptions.temperature === 'number' ? { temperature: modelOptions.temperature } : {}),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: { ...inputSchema } })),
          toolChoice: { mode: toolMode },
        }
      : {}),
  };
}

function messageOf({ role, parts }: LmMessage): Message {
  return { role, content: parts.map(blockOf) };
}

function blockOf(part: LmPart): MessageContent {
  switch (part.type) {
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: { ...part.input } };
    case 'result':
      return { type: 'tool_result', toolUseId: part.id, content: part.content.map(contentOf) };
    default:
      return contentOf(part);
  }
}

function contentOf(part: LmPart): ContentBlock & MessageContent {
  if (part.type === 'text') return part;
  if (part.type !== 'data') return { type: 'text', text: '' };
  if (part.mimeType.startsWith('image/')) {
    return { type: 'image', data: Buffer.from(part.bytes).toString('base64'), mimeType: part.mimeType };
  }
  return { type: 'text', text: Buffer.from(part.bytes).toString('utf8') };
}
