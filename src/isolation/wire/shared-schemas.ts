import * as z from 'zod/mini';
import type { ErrorData } from '../../core/errors/error-data.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';

/*
 * Parts of the messages of both directions. A message was text before, so whatever is in it is JSON already: what a tool
 * made is not walked again.
 */

/** Any JSON. */
export const json = z.custom<JsonValue>((value) => value !== undefined, 'must be JSON');

/** A JSON object. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON object',
);

/** Nothing. */
export const nothing = z.void();

/** Left as it came: what an object's schema parses has its fields in another order, and a wire would show which realm it was. */
export const asItCame = <T>(schema: z.ZodMiniType) =>
  z.custom<T>().check(({ value, issues }) => {
    for (const { message, path } of schema.safeParse(value).error?.issues ?? []) {
      issues.push({ code: 'custom', message, path, input: value });
    }
  });

/** A number that one end has given to something. */
export const serial = z.int().check(z.nonnegative());

/** An error, with its causes and what it gathers. */
export const errorData: z.ZodMiniType<ErrorData> = z.object({
  name: z.string(),
  code: z.optional(z.string()),
  message: z.string(),
  stack: z.optional(z.string()),
  get cause() {
    return z.optional(errorData);
  },
  get errors() {
    return z.optional(z.array(errorData));
  },
  details: z.optional(jsonObject),
}) as unknown as z.ZodMiniType<ErrorData>;

/** How a person can be asked. */
export const elicitationModes = z.object({
  form: z.optional(z.literal(true)),
  url: z.optional(z.literal(true)),
});

/** What the clients of a call can do. */
export const capabilities = z.object({
  elicitation: z.optional(elicitationModes),
  sampling: z.optional(z.object({ tools: z.boolean(), context: z.optional(z.literal(true)) })),
  roots: z.optional(z.literal(true)),
  editor: z.optional(z.literal(true)),
}) as unknown as z.ZodMiniType<ClientCapabilities>;

/** What is wrong with parameters. */
export const issue = z.object({
  message: z.string(),
  path: z.optional(z.array(z.union([z.string(), z.number()]))),
});

/** The answer of a handler. */
export const elicitAnswer = z.union([
  z.object({ action: z.literal('accept'), content: json }),
  z.object({ action: z.enum(['decline', 'cancel']) }),
]) as unknown as z.ZodMiniType<ElicitAnswer<unknown>>;
