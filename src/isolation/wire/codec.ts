import { Err, Ok, type Result } from 'effection';
import type * as z from 'zod/mini';

// As they were before a tool could replace them.
const { parse, stringify } = JSON;

/** Writes a message. Everything that crosses is JSON, so it crosses as text: nothing else can come along. */
export function encode(message: object): string {
  return stringify(message);
}

/** Reads a message. Never throws, whatever came. */
export function decode<S extends z.ZodMiniType>(schema: S, text: unknown): Result<z.infer<S>> {
  if (typeof text !== 'string') return Err(new Error(`a message is text, not ${typeof text}`));
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return Err(new Error('a message that is no JSON'));
  }
  return read(schema, value);
}

/** Reads a part of a message. Never throws. */
export function read<S extends z.ZodMiniType>(schema: S, value: unknown): Result<z.infer<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return Ok(parsed.data);
  const [issue] = parsed.error.issues;
  return Err(new Error(`${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'malformed'}`));
}
