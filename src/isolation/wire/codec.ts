import type * as z from 'zod/mini';

// As they were before a tool could replace them.
const { parse, stringify } = JSON;

/** Writes a message. Everything that crosses is JSON, so it crosses as text: nothing else can come along. */
export function encode(message: object): string {
  return stringify(message);
}

/** What was read: a message, or why it is none. */
export type Decoded<T> =
  | { readonly ok: true; readonly message: T }
  | { readonly ok: false; readonly problem: string };

/** Reads a message. Never throws, whatever came. */
export function decode<T>(schema: z.ZodMiniType<T>, text: unknown): Decoded<T> {
  if (typeof text !== 'string') return { ok: false, problem: `a message is text, not ${typeof text}` };
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return { ok: false, problem: 'a message that is no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, problem: `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'malformed'}` };
}
