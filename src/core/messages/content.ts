import { isObject } from '../schema/is-object.ts';

/**
 * MCP content blocks and messages: the only message format in Parley. Nothing else appears in an API or on a wire.
 * Source: MCP 2025-11-25, "Sampling" and "Tools", schema types `ContentBlock` and `SamplingMessage`.
 */

/** Text for a model or a person. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** An image; `data` is base64. */
export interface ImageContent {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Sound; `data` is base64. */
export interface AudioContent {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A pointer to a resource that the client may read. */
export interface ResourceLinkContent {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A resource carried inline: `text`, or base64 in `blob`. */
export interface EmbeddedResourceContent {
  readonly type: 'resource';
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The model asks for a tool: `id` is answered by a {@link ToolResultContent} with the same `toolUseId`. */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What came of a tool call. A user message that holds one holds nothing else. */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a tool result, a prompt message or a resource may hold. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLinkContent
  | EmbeddedResourceContent;

/** What a message of a conversation with a model may hold. */
export type MessageContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of a conversation with a model. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: MessageContent | readonly MessageContent[];
}

/** The blocks of a message as an array, whichever way it carries them. */
export function blocksOf(message: Pick<Message, 'content'>): readonly MessageContent[] {
  return Array.isArray(message.content) ? message.content : [message.content as MessageContent];
}

/**
 * All text of a message, or of what `ctx.call` gave of another server's tool, joined without separators.
 *
 * @example
 * const file = textOf(yield* ctx.call('files/read_text_file', { path }));
 */
export function textOf(of: unknown): string {
  if (typeof of === 'string') return of;
  const content: unknown = isObject(of) && 'content' in of ? of.content : of;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((one) => (isObject(one) && one.type === 'text' ? String(one.text) : '')).join('');
}
