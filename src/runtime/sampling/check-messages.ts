import { SampleOptionsError } from '../../core/errors/sampling-errors.ts';
import { blocksOf, type Message } from '../../core/messages/content.ts';

/**
 * Checks messages as far as every model's provider does: tool files are bundled without a type check.
 *
 * @param before what the conversation has ahead of them: their `tool_result`s may answer it
 * @throws `SampleOptionsError` for a role that does not exist, no content, or a `tool_result` that answers nothing
 */
export function checkMessages(messages: readonly Message[], before: readonly Message[] = []): void {
  const called = new Set<string>();
  for (const message of before) {
    for (const block of blocksOf(message)) if (block.type === 'tool_use') called.add(block.id);
  }
  for (const [at, message] of messages.entries()) {
    const { role, content } = (message ?? {}) as Partial<Message>;
    if (role !== 'user' && role !== 'assistant') {
      throw new SampleOptionsError(
        `messages[${at}] has the role '${String(role)}': a message is the user's or the assistant's; a tool's result is a tool_result block of the user`,
      );
    }
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    for (const block of blocks) {
      const { type, id, toolUseId } = (typeof block === 'object' && block !== null ? block : {}) as {
        type?: unknown;
        id?: unknown;
        toolUseId?: unknown;
      };
      if (typeof type !== 'string') {
        throw new SampleOptionsError(
          `messages[${at}] has content that is no block: write { type: 'text', text: '…' }`,
        );
      }
      if (type === 'tool_use') called.add(String(id));
      if (type === 'tool_result' && !called.has(String(toolUseId))) {
        throw new SampleOptionsError(
          `messages[${at}] has a tool_result for '${String(toolUseId)}', which no tool_use before it has as its id`,
        );
      }
    }
  }
}
