import { ParleyError } from '../../core/errors/parley-error.ts';
import { SamplingRefusedError } from '../../core/errors/sampling-errors.ts';
import type { Message, MessageContent } from '../../core/messages/content.ts';
import { isMessageContent } from '../../core/messages/result-content.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import { toolUse } from '../../core/tool/tool-input.ts';

/**
 * A sampling as `sampling/createMessage` parameters. A message with one block carries it bare: clients from before
 * 2025-11-25 know no lists.
 */
export function encodeSample(request: SampleAskRequest): Readonly<Record<string, unknown>> {
  return { ...request, messages: request.messages.map(bare) };
}

function bare(message: Message): Message {
  if (!Array.isArray(message.content) || message.content.length !== 1) return message;
  return { role: message.role, content: message.content[0] as MessageContent };
}

/** No stop reason of the protocol: clients give it for what nobody asked a model. */
const CANCELLED: readonly unknown[] = ['cancelled', 'canceled'];

const REFUSED =
  'the client refused to ask its language model for this tool. Continue without it, or ask the user to allow it.';

function isBlock(value: unknown): value is MessageContent {
  return (
    isMessageContent(value) &&
    (value.type !== 'tool_use' || isObject(value.input) || typeof value.input === 'string')
  );
}

/**
 * A client's `CreateMessageResult`.
 *
 * @throws `SamplingRefusedError` for what the client says in a model's place, and `ParleyError` (`SAMPLING`) when it is none
 */
export function decodeSample(wire: unknown): SampleAnswer {
  if (!isObject(wire)) throw unusable('it is no object');
  const { role = 'assistant', content, model, stopReason } = wire;
  if (role !== 'assistant' || CANCELLED.includes(stopReason)) throw new SamplingRefusedError(REFUSED);
  if (!(Array.isArray(content) ? content.every(isBlock) : isBlock(content))) {
    throw unusable('its content is neither a content block nor a list of them');
  }
  return {
    role: 'assistant',
    content: Array.isArray(content) ? content.map(readInput) : readInput(content as MessageContent),
    model: typeof model === 'string' ? model : 'unknown',
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
  };
}

/** Some clients pass on what the model wrote. */
function readInput(block: MessageContent): MessageContent {
  return block.type === 'tool_use' && !isObject(block.input)
    ? toolUse(block.id, block.name, block.input)
    : block;
}

function unusable(why: string): ParleyError {
  return new ParleyError('SAMPLING', `The client's answer to sampling/createMessage cannot be used: ${why}.`);
}
