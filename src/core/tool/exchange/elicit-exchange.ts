import { filesIn, withoutBytes } from '../../form/attached.ts';
import type { Message } from '../../messages/content.ts';
import type { ElicitExchange } from '../elicit.ts';

/** What an {@link ElicitExchange} is made of. */
export interface ElicitExchangeParts<Content> {
  /** The call and the question in it: together they are the id of the `tool_use`, unlike that of any other call. */
  readonly callId: string;
  readonly askId: string;
  /** The declared key, or `elicit` for a question known only at run time; it becomes the tool's name. */
  readonly key: string;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly content: Content;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * One accepted answer as two messages: what the assistant asked, as text and as a `tool_use` whose arguments are the
 * context, and the user's `tool_result` with the same id.
 */
export function elicitExchange<Content>(parts: ElicitExchangeParts<Content>): ElicitExchange<Content> {
  return exchangeWith(parts, parts.context);
}

function exchangeWith<Content>(
  parts: ElicitExchangeParts<Content>,
  input: Arguments,
): ElicitExchange<Content> {
  const messages = Object.freeze<[Message, Message]>([requestOf(parts, input), responseOf(parts)]);
  const [request, response] = messages;
  return { request, response, messages, withArguments: (fn) => exchangeWith(parts, fn(parts.context)) };
}

function requestOf(parts: ElicitExchangeParts<unknown>, input: Arguments): Message {
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: parts.message },
      { type: 'tool_use', id: idOf(parts), name: parts.key, input },
    ],
  };
}

/** Letters, digits, `_` and `-`: what every provider of models takes. */
function idOf({ callId, askId }: ElicitExchangeParts<unknown>): string {
  return `${callId}-${askId}`.replace(/[^\w-]/g, '_');
}

function responseOf(parts: ElicitExchangeParts<unknown>): Message {
  // Files are read as what they are, beside their names.
  const files = filesIn(parts.content);
  const content = withoutBytes(parts.content);
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        toolUseId: idOf(parts),
        content: [{ type: 'text', text: JSON.stringify(content) ?? 'null' }, ...files],
        ...(isObject ? { structuredContent: content as Arguments } : {}),
      },
    ],
  };
}
