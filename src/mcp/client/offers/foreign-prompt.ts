import type { GetPromptResult, Prompt as PromptInfo } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { Completer } from '../../../core/served/completion.ts';
import { createMcpPrompt } from '../../../core/served/create-mcp-prompt.ts';
import type { AnyPrompt, PromptMessage } from '../../../core/served/prompt.ts';
import { foreignName } from '../../wire/foreign-name.ts';
import type { ServerConnection } from '../server-connection.ts';
import { type Addresses, readdressed, THEIR_OWN } from './addresses.ts';
import { plainly, requestOptions } from './foreign-tool.ts';
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
      const result = yield* connection.request<GetPromptResult>(ctx, (client, call, signal) =>
        client.getPrompt(
          { name, arguments: defined(given) as Record<string, string> },
          requestOptions(call, signal),
        ),
      );
      const messages = result.messages as unknown as readonly PromptMessage[];
      return { messages: seen(messages), ...defined({ description: result.description }) };
    });
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
    return result?.completion.values ?? [];
  };
}
