import { blocksOf, type ContentBlock, type MessageContent } from '../../../core/messages/content.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { SampleAskRequest } from '../../../core/tool/ask.ts';
import { flattenToolBlocks } from '../../../runtime/sampling/index.ts';
import type { LmMessage, LmPart, LmRequest } from './parts.ts';

/**
 * An MCP sampling request as a request to `vscode.lm`. Pure.
 *
 * A system prompt leads as a user message. Copilot refuses to require a tool when there are several, so then the model
 * is told instead. Keys of `modelOptions` are those Copilot reads: `max_tokens`, `temperature`, `stop` (one string; the
 * sampler itself holds to all stop sequences).
 *
 * @param callsTools whether the model can call tools. To one that cannot, the schema of a tool that it must call is told, and
 *   its JSON is read from the text; what tools did before is told in words.
 */
export function encodeRequest(request: SampleAskRequest, callsTools = true): LmRequest {
  const mode = request.toolChoice?.mode ?? 'auto';
  const wanted = mode === 'none' ? [] : (request.tools ?? []);
  const tools = callsTools ? wanted : [];
  const [only] = wanted;
  const mustWrite = !callsTools && mode === 'required' && wanted.length === 1 && only !== undefined;
  const mustChoose = mode === 'required' && tools.length > 1;
  const lead = [
    request.systemPrompt,
    mustChoose ? `Call exactly one of these tools: ${names(tools)}. Do not answer with text.` : undefined,
    mustWrite
      ? `Answer with one JSON value that fits this JSON schema, and with nothing else:\n${JSON.stringify(only.inputSchema)}`
      : undefined,
  ].filter((line) => line !== undefined && line !== '');
  return {
    messages: [
      ...(lead.length > 0 ? [textMessage('user', lead.join('\n\n'))] : []),
      ...(callsTools ? request.messages : flattenToolBlocks(request.messages)).map(
        (message): LmMessage => ({ role: message.role, parts: blocksOf(message).map(encodeBlock) }),
      ),
    ],
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description ?? '',
      inputSchema: tool.inputSchema,
    })),
    toolMode: mode === 'required' && tools.length === 1 ? 'required' : 'auto',
    modelOptions: {
      max_tokens: request.maxTokens,
      ...defined({ temperature: request.temperature }),
      ...(request.stopSequences?.[0] === undefined ? {} : { stop: request.stopSequences[0] }),
    },
  };
}

/** Whether a result says in words that it is none. */
function saysSo([first]: readonly ContentBlock[]): boolean {
  return first?.type === 'text' && /^The (?:tool failed|call was stopped)/.test(first.text);
}

function names(tools: ReadonlyArray<{ readonly name: string }>): string {
  return tools.map((tool) => tool.name).join(', ');
}

function textMessage(role: LmMessage['role'], text: string): LmMessage {
  return { role, parts: [{ type: 'text', text }] };
}

function encodeBlock(block: MessageContent): LmPart {
  switch (block.type) {
    case 'tool_use':
      return { type: 'call', id: block.id, name: block.name, input: block.input };
    case 'tool_result':
      return {
        type: 'result',
        id: block.toolUseId,
        content: [
          // `vscode.lm` has no place for the flag.
          ...(block.isError && !saysSo(block.content)
            ? [{ type: 'text', text: 'The tool failed:' } as const]
            : []),
          ...(block.content.length === 0 && block.structuredContent
            ? [{ type: 'text', text: JSON.stringify(block.structuredContent) } as const]
            : encodeResultContent(block.content, block.isError ? 'It did not say why.' : undefined)),
        ],
      };
    default:
      return encodeContent(block);
  }
}

/** A result as parts: providers refuse text that is blank, and a model that reads nothing may try again. */
export function encodeResultContent(
  content: readonly ContentBlock[],
  nothing = 'The tool is done. It returned nothing.',
): readonly LmPart[] {
  const parts = content.map(encodeContent).filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return parts.length > 0 ? parts : [{ type: 'text', text: nothing }];
}

/** A block of a result as a part: text and data as they are, links and resources as text where they can be. */
export function encodeContent(block: ContentBlock): LmPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: 'data', bytes: bytesOf(block.data), mimeType: block.mimeType };
    case 'resource_link':
      return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
    case 'resource':
      return block.resource.text === undefined && block.resource.blob !== undefined
        ? {
            type: 'data',
            bytes: bytesOf(block.resource.blob),
            mimeType: block.resource.mimeType ?? 'application/octet-stream',
          }
        : { type: 'text', text: block.resource.text ?? block.resource.uri };
  }
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
