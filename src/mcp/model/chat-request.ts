import {
  blocksOf,
  type ContentBlock,
  type Message,
  type MessageContent,
} from '../../core/messages/content.ts';
import { defined } from '../../core/schema/defined.ts';
import type { SampleAskRequest } from '../../core/tool/ask.ts';
import { SCHEMA_TOOL_NAME } from '../../core/tool/sample.ts';

type Json = Readonly<Record<string, unknown>>;

/** What some models refuse, and are asked without. */
const OPTIONAL = [
  'response_format',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'stop',
  'tool_choice',
];

/**
 * A sampling as the body of `POST /chat/completions`, the request that all OpenAI-compatible servers know.
 *
 * @param refused what the model has refused before
 */
export function chatRequest(
  model: string,
  request: SampleAskRequest,
  refused: ReadonlySet<string> = new Set(),
): Json {
  const body = fullRequest(model, request, refused.has('response_format') ? undefined : dataOf(request));
  const limit = refused.has('max_tokens') ? { max_completion_tokens: body.max_tokens } : {};
  return Object.fromEntries(Object.entries({ ...body, ...limit }).filter(([key]) => !refused.has(key)));
}

/** Which part of a request a server refuses as something that the model does not know. */
export function refusedPart(status: number, answer: string, sent: Json): string | undefined {
  if (status !== 400 && status !== 422) return undefined;
  if ('response_format' in sent && /response_format|json_schema/i.test(answer)) return 'response_format';
  if (!/unsupported|unrecognized|unknown|deprecated|not (?:\w+ )?(?:support|permit|allow)/i.test(answer))
    return undefined;
  const named = /"param":\s*"(\w+)"/.exec(answer)?.[1];
  const names = [named, ...(answer.match(/\w+/g) ?? [])];
  return names.find((name) => name !== undefined && name in sent && OPTIONAL.includes(name));
}

type SampledTool = NonNullable<SampleAskRequest['tools']>[number];

/** The reserved tool of a sampling that is for data alone. Calls in its messages go with tools only. */
function dataOf({ tools, messages }: SampleAskRequest): SampledTool | undefined {
  const [only, ...more] = tools ?? [];
  if (only?.name !== SCHEMA_TOOL_NAME || more.length > 0) return undefined;
  return messages.some((message) => blocksOf(message).some(({ type }) => type.startsWith('tool_')))
    ? undefined
    : only;
}

/** @param data what the model is to answer with, where its server has a way of its own for that */
function fullRequest(model: string, request: SampleAskRequest, data: SampledTool | undefined): Json {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences } = request;
  const { tools, toolChoice }: Pick<SampleAskRequest, 'tools' | 'toolChoice'> = data ? {} : request;
  const system = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
  return {
    model,
    messages: [...system, ...messages.flatMap(chatMessages)],
    max_tokens: Math.ceil(maxTokens),
    ...defined({ temperature, stop: stopSequences }),
    ...(data
      ? {
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: data.inputSchema } },
        }
      : {}),
    ...(tools
      ? {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, ...defined({ description }), parameters: inputSchema },
          })),
        }
      : {}),
    ...(tools && toolChoice ? { tool_choice: toolChoice.mode } : {}),
  };
}

/** One message of ours is several of theirs where it holds results of tools. */
function chatMessages({ role, content }: Message): readonly Json[] {
  const blocks = blocksOf({ content });
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [resultMessage(block)] : []));
  const rest = blocks.filter(({ type }) => type !== 'tool_result');
  if (rest.length === 0) return results;
  return [...results, role === 'assistant' ? assistantMessage(rest) : userMessage(rest)];
}

function userMessage(blocks: readonly MessageContent[]): Json {
  const isText = blocks.every(({ type }) => type === 'text');
  return { role: 'user', content: isText ? textIn(blocks) : blocks.flatMap(contentPart) };
}

function assistantMessage(blocks: readonly MessageContent[]): Json {
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function',
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  const text = textIn(blocks);
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function resultMessage(result: Extract<MessageContent, { type: 'tool_result' }>): Json {
  const text = result.content.map(resultText).join('\n');
  return {
    role: 'tool',
    tool_call_id: result.toolUseId,
    content: result.isError ? `Error: ${text}` : text,
  };
}

/** A result of a tool is text to these servers. */
function resultText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return block.resource.text ?? `[${block.resource.uri}]`;
    case 'resource_link':
      return block.uri;
    default:
      return `[${block.type}: ${block.mimeType}]`;
  }
}

function contentPart(block: MessageContent): readonly Json[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [{ type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }];
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: block.data, format: formatOf(block.mimeType) } }];
    default:
      return [];
  }
}

/** `audio/mpeg` goes by the name of mp3. */
function formatOf(mimeType: string): string {
  return mimeType === 'audio/mpeg' ? 'mp3' : (mimeType.split('/')[1] ?? 'wav').replace(/^x-/, '');
}

function textIn(blocks: readonly MessageContent[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
