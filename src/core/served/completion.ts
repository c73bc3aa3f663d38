import type { Operation } from 'effection';

/** The arguments a person has filled in so far, by name. */
export interface CompletionContext {
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * Suggests values for one argument: a list, of which those that begin with what was typed are suggested, or a function
 * that suggests. At most a hundred go on the wire. Source: MCP "Completion".
 */
export type Completer =
  | readonly string[]
  | ((value: string, ctx: CompletionContext) => Operation<readonly string[]>);

/** Runs a completer. */
export function* complete(
  completer: Completer | undefined,
  value: string,
  ctx: CompletionContext,
): Operation<readonly string[]> {
  if (completer === undefined) return [];
  if (typeof completer === 'function') return yield* completer(value, ctx);
  const typed = value.toLowerCase();
  return completer.filter((one) => one.toLowerCase().startsWith(typed));
}
