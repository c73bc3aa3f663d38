import type { ContentBlock } from '../../core/messages/content.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { apartFromFiles, contentBlocksOf, resultContentOf } from '../../core/messages/result-content.ts';
import { stoppedText } from '../../core/messages/stopped-text.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import { asJson } from './as-json.ts';
import type { Era } from './era.ts';
import { isStructured } from './listing.ts';

/** MCP's `CallToolResult`, as it is sent in both eras. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * What a tool resolved to, as a result. A value with a `content` list of blocks is taken as a whole result, for tools
 * that say themselves what the model reads; with an output schema one that has `structuredContent`, too. Any other value of a
 * tool with an output schema is `structuredContent` beside its text.
 *
 * @param structured whether the tool is listed with an output schema
 */
export function encodeResult(value: JsonValue | undefined, structured: boolean): CallResult {
  if (isObject(value)) {
    const content = Array.isArray(value.content) ? contentBlocksOf(value.content) : undefined;
    if (content && (!structured || 'structuredContent' in value)) {
      const { structuredContent, _meta, isError } = value;
      return {
        content,
        ...defined({ structuredContent }),
        ...(isError === true ? { isError } : {}),
        ...(isObject(_meta) ? { _meta } : {}),
      };
    }
  }
  const content = resultContentOf(value);
  return structured && value !== undefined
    ? { content, structuredContent: apartFromFiles(value).rest }
    : { content };
}

/** What of a tool its result depends on. */
export interface ResultShape {
  /** Whether it is listed with an output schema. */
  readonly structured: boolean;
  readonly foreign?: { readonly server: string; readonly tool: string } | undefined;
}

/** What of a tool its results in an era depend on. */
export function resultShapeOf(tool: AnyTool, era: Era): ResultShape {
  return { structured: isStructured(tool, era), foreign: tool.def.foreign };
}

/** What came of a call of a tool, as a result. */
export function callResultOf(
  toolName: string,
  { structured, foreign }: ResultShape,
  end: EndEvent,
): CallResult {
  // What another server gives is passed on as it is: a text is not lost for want of what it says of its results.
  if (end.type === 'result') return encodeResult(end.value, structured && !foreign);
  if (end.type === 'error')
    return encodeForeignFailure(foreign, end.error) ?? encodeError(toolName, end.error);
  return encodeAborted(toolName, end.reason);
}

/** A result with something more to read behind it, which is ours to say and no part of what the tool gave. */
export function withNote<T extends { readonly content?: unknown }>(result: T, text: string): T {
  const { content } = result;
  return Array.isArray(content) ? { ...result, content: [...content, { type: 'text', text }] } : result;
}

/** An error of a tool, as text that a model can act on. No stack and no cause leaves the process. */
export function encodeError(toolName: string, error: ErrorData): CallResult {
  const text = error.code === undefined ? `${toolName} failed: ${error.message}` : error.message;
  return { content: [{ type: 'text', text }], isError: true };
}

/** What a tool of another server failed with, where that is more than text: as its server gave it. */
export function encodeForeignFailure(
  foreign: ResultShape['foreign'],
  { code, details }: ErrorData,
): CallResult | undefined {
  const isIts =
    code === 'FOREIGN_TOOL' && details?.server === foreign?.server && details?.tool === foreign?.tool;
  return isIts && isObject(details?.result) ? encodeResult(asJson(details.result), false) : undefined;
}

/** A call that was ended from outside. */
export function encodeAborted(toolName: string, reason: string): CallResult {
  return { content: [{ type: 'text', text: stoppedText(toolName, reason) }], isError: true };
}
