import type { ContentBlock, MessageContent } from './content.ts';
import type { JsonObject, JsonValue } from './json.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const has = (value: Readonly<Record<string, unknown>>, ...fields: readonly string[]) =>
  fields.every((field) => typeof value[field] === 'string');

/** Whether a value is an MCP content block that a tool result may hold. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value.type) {
    case 'text':
      return has(value, 'text');
    case 'image':
    case 'audio':
      return has(value, 'data', 'mimeType');
    case 'resource_link':
      return has(value, 'uri', 'name');
    case 'resource': {
      const resource = value.resource;
      return isObject(resource) && has(resource, 'uri') && (has(resource, 'text') || has(resource, 'blob'));
    }
    default:
      return false;
  }
}

/**
 * Whether a value is a block that a message of a conversation with a model may hold. What a model gives a tool may be anything: that is
 * for the tool's schema to refuse.
 */
export function isMessageContent(value: unknown): value is MessageContent {
  if (!isObject(value)) return false;
  switch (value.type) {
    case 'tool_use':
      return has(value, 'id', 'name');
    case 'tool_result':
      return has(value, 'toolUseId') && Array.isArray(value.content) && value.content.every(isContentBlock);
    default:
      return isContentBlock(value) && value.type !== 'resource_link' && value.type !== 'resource';
  }
}

/** Content blocks in a value, when it is one or a list of them. */
export function contentBlocksOf(value: unknown): readonly ContentBlock[] | undefined {
  if (isContentBlock(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isContentBlock) ? value : undefined;
}

/** A result, and the files that it has as `attachments`: these are content beside it, and no part of its data. */
export function apartFromFiles(value: JsonValue): {
  readonly rest: JsonValue;
  readonly files: readonly ContentBlock[];
} {
  const { attachments, ...rest } = isObject(value) ? value : {};
  const files = contentBlocksOf(attachments);
  return files ? { rest: rest as JsonObject, files } : { rest: value, files: [] };
}

/**
 * What a tool returned, as content blocks: blocks as they are (also under `content`), text as text, nothing as
 * nothing, and anything else as JSON text, with the files of its `attachments`.
 */
export function resultContentOf(value: JsonValue | undefined): readonly ContentBlock[] {
  if (value === undefined || value === null) return [];
  const blocks = contentBlocksOf(value) ?? (isObject(value) ? contentBlocksOf(value.content) : undefined);
  if (blocks) return blocks;
  const { rest, files } = apartFromFiles(value);
  if (files.length > 0) return [{ type: 'text', text: JSON.stringify(rest) }, ...files];
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}
