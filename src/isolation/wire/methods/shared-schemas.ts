import * as z from 'zod/mini';
import type { ErrorData } from '../../../core/errors/data/error-data.ts';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import type { ElicitAnswer } from '../../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../../core/tool/context.ts';
import type { StepOutcome } from '../../../runtime/journal/step-gate.ts';

/*
 * Parts of the messages of both directions. A message was text before, so whatever is in it is JSON already: what a tool
 * made is not walked again.
 */

/** Any JSON. */
export const anyJson = z.custom<JsonValue>((value) => value !== undefined, 'must be JSON');

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
export const errorDataSchema: z.ZodMiniType<ErrorData> = z.object({
  name: z.string(),
  code: z.exactOptional(z.string()),
  message: z.string(),
  stack: z.exactOptional(z.string()),
  get cause() {
    return z.exactOptional(errorDataSchema);
  },
  get errors() {
    return z.exactOptional(z.array(errorDataSchema));
  },
  details: z.exactOptional(jsonObject),
});

/** How a person can be asked. */
const elicitationModes = z.object({
  form: z.exactOptional(z.literal(true)),
  url: z.exactOptional(z.literal(true)),
});

/** What the clients of a call can do. */
export const capabilities: z.ZodMiniType<ClientCapabilities> = z.object({
  elicitation: z.exactOptional(elicitationModes),
  sampling: z.exactOptional(z.object({ tools: z.boolean(), context: z.exactOptional(z.literal(true)) })),
  roots: z.exactOptional(z.literal(true)),
  editor: z.exactOptional(z.literal(true)),
});

/** What is wrong with parameters. */
export const issue = z.object({
  message: z.string(),
  path: z.optional(z.array(z.union([z.string(), z.number()]))),
});

/** The answer of a handler. */
export const elicitAnswer: z.ZodMiniType<ElicitAnswer<unknown>> = z.union([
  z.object({ action: z.literal('accept'), content: anyJson }),
  z.object({ action: z.enum(['decline', 'cancel']) }),
  z.object({ action: z.literal('reply'), text: z.string() }),
]);

/** What a step came to. */
export const stepOutcome = asItCame<StepOutcome>(
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), result: z.optional(anyJson) }),
    z.strictObject({ ok: z.literal(false), error: errorDataSchema }),
  ]),
);
