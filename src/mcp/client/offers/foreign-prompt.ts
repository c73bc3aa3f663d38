import type { GetPromptResult, Prompt as PromptInfo } from '@modelcontextprotocol/client';
import type { Operation } from 'effection';
import * as z from 'zod';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { Completer } from '../../../core/served/completion.ts';
import { createMcpPrompt } from '../../../core/served/create-mcp-prompt.ts';
import type { AnyPrompt, PromptMessage } from '../../../core/served/prompt.ts';
import { foreignName } from '../../wire/foreign-name.ts';
import type { ForeignContext } from '../calls/foreign-context.ts';
import { saidIn } from '../reader/read-answer.ts';
import { readPrompt, readValues } from '../reader/read-content.ts';
import type { Json } from '../reader/read-message.ts';
import type { ServerConnection } from '../server-connection.ts';
import { type Addresses, readdressed, THEIR_OWN } from './addresses.ts';
import { plainly } from './foreign-tool.ts';
import { offeredOn } from './through.ts';

/** The prompt of a connected server as a prompt of ours. */
export function foreignPrompt(
  connection: ServerConnection,
  prompt: PromptInfo,
  addresses: Addresses = THEIR_OWN,
): AnyPrompt {
  const { name, title, description, arguments: args = [] } = prompt;
  const fields = args.map(({ name: field, description: about, required }) => {
    const text = z.string().meta({ ...defined({ description: about }) });
    return [field, required ? text : text.optional()] as const;
  });
  const completers = args.map(({ name: field }) => [
    field,
    completer(connection, { type: 'ref/prompt', name }, field),
  ]);
  const seen = (messages: readonly PromptMessage[]): readonly PromptMessage[] => {
    const contents = readdressed(
      messages.map(({ content }) => content),
      addresses,
    );
    return messages.map((message, index) => ({ ...message, content: contents[index] ?? message.content }));
  };
  const described = createMcpPrompt(foreignName(connection.name, name)).description(
    description?.trim() || asLabel(title ?? '') || name.trim() || 'A prompt',
  );
  const shown = asLabel(title ?? '');
  return (shown === '' ? described : described.title(shown))
    .about(offeredOn(prompt))
    .arguments(z.object(Object.fromEntries(fields)))
    .completes(Object.fromEntries(completers))
    .elicits({})
    .messages(function* (given, ctx) {
      const { messages, description: said } = yield* getPrompt(connection, name, given, ctx);
      return {
        // Read above: what MCP has as a block of a prompt is one here, too.
        messages: seen(messages as unknown as readonly PromptMessage[]),
        ...defined({ description: said }),
      };
    });
}

/** Gets a prompt as a part of a call. */
export function* getPrompt(
  connection: ServerConnection,
  name: string,
  given: Json,
  ctx: ForeignContext,
): Operation<GetPromptResult> {
  const params = { name, arguments: defined(given) };
  return yield* readPrompt(yield* connection.request(ctx, (line) => line.request('prompts/get', params)));
}

/** Whatever an argument is of, as the protocol names it. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** Completes an argument by asking the server, if it completes any. */
export function completer(connection: ServerConnection, ref: CompletionRef, argument: string): Completer {
  return function* (value, { arguments: filled }) {
    const result = yield* plainly(connection, async (client) => {
      if (!client.getServerCapabilities()?.completions) return undefined;
      return await client.complete({
        ref,
        argument: { name: argument, value },
        context: { arguments: { ...filled } },
      });
    });
    return result ? readValues(saidIn(result)) : [];
  };
}
