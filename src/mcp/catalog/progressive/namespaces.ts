import { compareKeys } from '../../wire/state/cursor.ts';

/** A group of tools whose names begin alike. */
export interface Namespace {
  readonly name: string;
  readonly tools: number;
}

/** What a tool's name begins with: up to `__`, else up to the first `_` or `-`. */
export function namespaceOf(toolName: string): string {
  const double = toolName.indexOf('__');
  if (double > 0) return toolName.slice(0, double);
  return /^[^_-]+/.exec(toolName)?.[0] ?? toolName;
}

/** The namespaces of these names, in order. */
export function namespacesOf(toolNames: readonly string[]): readonly Namespace[] {
  const counts = new Map<string, number>();
  for (const name of toolNames) {
    const namespace = namespaceOf(name);
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  return Array.from(counts, ([name, tools]) => ({ name, tools })).sort((a, b) => compareKeys(a.name, b.name));
}
