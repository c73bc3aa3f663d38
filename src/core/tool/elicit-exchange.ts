import type { Message } from '../messages/content.ts';
import type { ElicitExchange } from './elicit.ts';

/** What an {@link ElicitExchange} is made of. */
export interface ElicitExchangeParts<Content> {
  /** Id of the question; it becomes the id of the `tool_use`. */
  readonly id: string;
  /** The declared key, or `elicit` for a question known only at run time; it becomes the tool's name. */
  readonly key: string;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly content: Content;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * One accepted answer as two messages: the assistant's `tool_use`, and the user's `tool_result` with the same id. Its
 * arguments are the context, or the message of a question without one.
 *
 * The messages are made when they are read: most tools never do.
 */
export function elicitExchange<Content>(parts: ElicitExchangeParts<Content>): ElicitExchange<Content> {
  const given = Object.keys(parts.context).length > 0 ? parts.context : { message: parts.message };
  return exchangeWith(parts, given);
}

function exchangeWith<Content>(
  parts: ElicitExchangeParts<Content>,
  input: Arguments,
): ElicitExchange<Content> {
  let messages: readonly [Message, Message] | undefined;
  const made = () => {
    messages ??= Object.freeze<[Message, Message]>([requestOf(parts, input), responseOf(parts)]);
    return messages;
  };
  return {
    get request() {
      return made()[0];
    },
    get response() {
      return made()[1];
    },
    get messages() {
      return made();
    },
    withArguments: (fn) => exchangeWith(parts, fn(parts.context)),
  };
}

function requestOf(parts: ElicitExchangeParts<unknown>, input: Arguments): Message {
  return { role: 'assistant', content: [{ type: 'tool_use', id: parts.id, name: parts.key, input }] };
}

function responseOf({ id, content }: ElicitExchangeParts<unknown>): Message {
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: JSON.stringify(content) ?? 'null' }],
        ...(isObject ? { structuredContent: content as Arguments } : {}),
      },
    ],
  };
}
