import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/client';
import { type Operation, until } from 'effection';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { ResourceContents } from '../../../core/served/resource.ts';
import { issuesOf, issueText, type Sdk } from './read-answer.ts';
import type { Json } from './read-message.ts';

type Block = CallToolResult['content'][number];

/** Types of blocks that every client knows. */
const KNOWN: readonly unknown[] = ['text', 'image', 'audio', 'resource', 'resource_link'];

/** What came of a call of a tool. A block that cannot be read costs itself alone, and says so in its place. */
export function* readCallResult({
  content,
  structuredContent,
  isError,
  _meta,
}: Json): Operation<CallToolResult> {
  const sdk = yield* until(import('@modelcontextprotocol/client'));
  return {
    content: readBlocks(sdk, content),
    ...defined({ structuredContent }),
    ...(isError === true || isError === 'true' ? { isError: true } : {}),
    ...(isObject(_meta) ? { _meta } : {}),
  };
}

/** The messages of a prompt. */
export function* readPrompt({ messages, description }: Json): Operation<GetPromptResult> {
  const sdk = yield* until(import('@modelcontextprotocol/client'));
  return {
    messages: listOf(messages).flatMap((message) => {
      const { role, content }: Json = isObject(message) ? message : { content: message };
      const of = role === 'assistant' ? 'assistant' : 'user';
      return readBlocks(sdk, content).map((block) => ({ role: of, content: block }) as const);
    }),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** What a resource reads. Contents that name no address are of the one that was asked for. */
export function readContents({ contents }: Json, asked: string): readonly ResourceContents[] {
  return listOf(contents).flatMap((one): readonly ResourceContents[] => {
    const { uri, text, blob, mimeType, _meta }: Json = isObject(one) ? one : { text: one };
    const about = {
      uri: typeof uri === 'string' ? uri : asked,
      ...(typeof mimeType === 'string' ? { mimeType } : {}),
      ...(isObject(_meta) ? { _meta } : {}),
    };
    if (typeof blob === 'string') return [{ ...about, blob }];
    return text === undefined ? [] : [{ ...about, text: textOf(text) }];
  });
}

/** Values that complete an argument. */
export function readValues({ completion }: Json): readonly string[] {
  const values = isObject(completion) ? listOf(completion.values) : [];
  return values.filter((value) => typeof value === 'string');
}

function readBlocks(sdk: Sdk, content: unknown): Block[] {
  return listOf(content).map((given) => {
    const block: Json = isObject(given) ? given : { text: textOf(given) };
    const { type = 'text' } = block;
    const whole = { ...block, type };
    const [issue] = KNOWN.includes(type) ? issuesOf(sdk, 'ContentBlock', whole) : [];
    // Most clients refuse a whole result for one block of a later protocol: as text it reaches their model.
    if (!KNOWN.includes(type)) return { type: 'text', text: JSON.stringify(block) };
    // The SDK's schema has nothing against it.
    if (!issue) return whole as unknown as Block;
    return {
      type: 'text',
      text: `[${String(type)}: the server sent it in a form that cannot be read: ${issueText(issue)}]`,
    };
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
