import { isObject } from '../schema/is-object.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** The key under which context stands beside a schema, and in `_meta`. */
export const MODEL_CONTEXT_KEY = 'x-model-context';

/** The line that announces context at the end of a message. */
export const MODEL_CONTEXT_BOUNDARY = '--x-model-context: application/json';

/** Context of more characters than this, as JSON, is not in the message: people read that. */
const MAX_IN_MESSAGE = 2 * 1024;

/** Context of more characters than this, as JSON, travels once: twice a megabyte is more than some clients read. */
const MAX_REPEATED = 64 * 1024;

/** A question as it goes over a wire: the parts of an elicitation request that can carry context. */
export interface ContextCarrier {
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Where context may be. */
export interface ContextOptions {
  /** `false` for whom the message is shown as it is. */
  readonly inMessage?: boolean;
}

/** A question as its author put it, and the context it came with. */
export interface CarriedContext {
  readonly message: string;
  readonly requestedSchema: Readonly<Record<string, unknown>>;
  readonly context: JsonObject | undefined;
}

/**
 * Puts context into a question three times: beside the schema, in `_meta` (clients built on the MCP SDKs strip unknown
 * keys of a schema), and as the last part of the message (for those that pass on nothing else), where it is short. Large
 * context stands in `_meta` alone. Without context nothing is added.
 *
 * A line of the author's that begins with the boundary gets a leading space, with and without context: text can neither
 * hide nor forge context.
 *
 * @example
 * encodeModelContext({ message: 'Your move', requestedSchema }, { board: '...' }).message
 * // 'Your move\n\n--x-model-context: application/json\n{"board":"..."}'
 */
export function encodeModelContext(
  question: Pick<ContextCarrier, 'message' | 'requestedSchema'>,
  context: JsonObject | undefined,
  { inMessage = true }: ContextOptions = {},
): ContextCarrier {
  const message = quoted(question.message);
  const { requestedSchema } = question;
  if (context === undefined) return { message, requestedSchema };
  const json = JSON.stringify(context);
  const _meta = { [MODEL_CONTEXT_KEY]: context };
  if (json.length > MAX_REPEATED) return { message, requestedSchema, _meta };
  return {
    message:
      inMessage && json.length <= MAX_IN_MESSAGE
        ? `${message}\n\n${MODEL_CONTEXT_BOUNDARY}\n${json}`
        : message,
    requestedSchema: { ...requestedSchema, [MODEL_CONTEXT_KEY]: context },
    _meta,
  };
}

/**
 * Takes the context out of a question again. The schema's is preferred, then `_meta`'s, then the message's. What is no
 * JSON object is no context and stays where it is.
 */
export function decodeModelContext(carrier: ContextCarrier): CarriedContext {
  const { [MODEL_CONTEXT_KEY]: besideSchema, ...bareSchema } = carrier.requestedSchema;
  const part = lastPart(carrier.message);
  const inSchema = isObject(besideSchema);
  const context = [besideSchema, carrier._meta?.[MODEL_CONTEXT_KEY], part?.context].find(isObject);
  return {
    message: unquoted(part?.before ?? carrier.message),
    requestedSchema: inSchema ? bareSchema : carrier.requestedSchema,
    // It came over a wire, so it is JSON throughout.
    context: context as JsonObject | undefined,
  };
}

/** What may end a line for some reader of the text. */
const LINE_END = '[\\n\\r\\v\\f\\u0085\\u2028\\u2029]';
const AUTHORS_LINE = new RegExp(`(^|${LINE_END})( *--x-model-context)`, 'gi');
const QUOTED_LINE = new RegExp(`(^|${LINE_END}) ( *--x-model-context)`, 'gi');

/** One more space before each line that looks like the boundary, so that {@link unquoted} can take exactly it away. */
function quoted(text: string): string {
  return text.replace(AUTHORS_LINE, '$1 $2');
}

function unquoted(text: string): string {
  return text.replace(QUOTED_LINE, '$1$2');
}

/** The last part of a message: blank line, boundary, JSON. Line ends may have become CRLF on the way. */
function lastPart(message: string): { readonly before: string; readonly context: JsonObject } | undefined {
  const at = message.lastIndexOf(`\n${MODEL_CONTEXT_BOUNDARY}`);
  if (at < 0) return undefined;
  const head = /^([\s\S]*?)(\n|\r\n\r)$/.exec(message.slice(0, at));
  const tail = /^\r?\n([\s\S]*)$/.exec(message.slice(at + 1 + MODEL_CONTEXT_BOUNDARY.length));
  if (!head || !tail) return undefined;
  const context = parsed(tail[1] ?? '');
  return isObject(context) ? { before: head[1] ?? '', context } : undefined;
}

function parsed(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}
