import type { Operation } from 'effection';
import * as z from 'zod';
import { type Message, textOf } from '../../../core/messages/content.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { SampleAnswer } from '../../../core/tool/ask.ts';
import { behindContext } from '../../../runtime/call/behind-context.ts';
import { emptyForm } from '../schema/foreign-form.ts';
import { listedSchema } from '../schema/listed-schema.ts';
import type { ForeignContext } from './foreign-context.ts';
import type { ModelConsent } from './model-consent.ts';

/** What a person reads of a prompt before they let a server use the model. */
const SHOWN = 2_000;

/** The user did not let the server use the model. Source: MCP "Sampling", error handling. */
const REJECTED = -1;

/** Blocks of any type: which of them a model reads is checked where it is asked. */
const content = () =>
  z.custom<Message['content']>((value) => [value].flat().every(isBlock), 'must be content blocks');

const isBlock = (value: unknown): boolean => isObject(value) && typeof value.type === 'string';

/** Made when it is first needed: what imports this is often loaded, and seldom used. */
const requestSchema = () =>
  z.looseObject({
    messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: content() })),
    maxTokens: z.optional(z.number()),
    systemPrompt: z.optional(z.string()),
    temperature: z.optional(z.number()),
    stopSequences: z.optional(z.array(z.string())),
    modelPreferences: z.optional(z.looseObject({})),
    metadata: z.optional(z.looseObject({})),
    tools: z.optional(
      z.array(
        z.looseObject({
          name: z.string(),
          description: z.optional(z.string()),
          inputSchema: z.record(z.string(), z.unknown()),
        }),
      ),
    ),
    toolChoice: z.optional(z.looseObject({ mode: z.optional(z.enum(['auto', 'required', 'none'])) })),
  });

/**
 * Asks the model of this call for a server. Each person is asked once for each server, with the prompt to read; where nobody can be
 * asked, the client whose model it is decides, as it does for every sampling.
 */
export function* sampleFor(
  server: { readonly name: string; readonly consent: ModelConsent },
  ctx: ForeignContext,
  params: unknown,
): Operation<SampleAnswer> {
  const { tools, toolChoice, messages, ...asked } = requestSchema().parse(params);
  yield* consented(server, ctx, messages, asked.systemPrompt);
  const { systemPrompt, temperature, stopSequences, modelPreferences, maxTokens, metadata } = asked;
  const settings = {
    messages,
    ...defined({ systemPrompt, temperature, stopSequences, modelPreferences, maxTokens, metadata }),
  };
  const answer = tools
    ? yield* ctx.sample({
        ...settings,
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          ...defined({ description }),
          inputSchema: listedSchema(inputSchema),
        })),
        ...(toolChoice?.mode ? { toolChoice: { mode: toolChoice.mode } } : {}),
      })
    : yield* ctx.sample(settings);
  const { content } = answer.exchange.response;
  // A content that is a list is for those who asked with tools.
  const [only] = Array.isArray(content) && content.length === 1 ? content : [];
  return {
    role: 'assistant',
    content: tools || only === undefined ? content : only,
    model: answer.model,
    stopReason: answer.stopReason,
  };
}

function* consented(
  { name, consent }: { readonly name: string; readonly consent: ModelConsent },
  ctx: ForeignContext,
  messages: readonly Message[],
  systemPrompt: string | undefined,
): Operation<void> {
  const principal = behindContext(ctx)?.call.principal ?? '';
  if (consent.isGiven(principal) || !ctx.capabilities.elicitation?.form) return;
  const said = messages.map((message) => `${message.role}: ${textOf(message)}`);
  const prompt = [...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]), ...said].join('\n');
  const all = prompt.length <= SHOWN;
  const what = all ? 'its prompt' : `the beginning of its prompt, which has ${prompt.length} characters`;
  const shown = all ? prompt : `${prompt.slice(0, SHOWN)}…`;
  const message = `The server '${name}' wants to use your model. Allow it until the server reconnects? This is ${what}:\n\n${shown}`;
  const answer = yield* ctx.elicit({ message, schema: emptyForm() });
  if (answer.action !== 'accept') {
    throw Object.assign(new Error('the user did not let the server use the model'), { code: REJECTED });
  }
  consent.give(principal);
}
