import type { Context, Scope } from 'effection';
import type { ContextPlace } from '../call/wait.ts';

/** Contexts by name, each level inheriting from the one above: how Effection keeps them. */
type ContextTable = Record<string, unknown>;

/** What belongs to a scope's own life, and would be wrong in any other. */
const isInternal = (name: string) => name.startsWith('@effection/') || name.startsWith('api::');

/**
 * Copies the contexts in force in one scope into another one: a call outlives whoever created it, and still runs with
 * the editor abilities, clock and ids that were in force there.
 *
 * Effection offers no way to list contexts; this reads the table every scope has. Without the table nothing is copied.
 */
export function captureContexts(from: Scope): (into: ContextPlace) => void {
  const found: [string, unknown][] = [];
  const table = tableOf(from);
  for (const name in table) if (!isInternal(name)) found.push([name, table[name]]);
  // A list that has grown has room for more, and each call that waits keeps its own.
  const captured = [...found];
  return (into) => {
    for (const [name, value] of captured) into.set({ name } as Context<unknown>, value);
  };
}

function tableOf(scope: Scope): ContextTable {
  const { contexts } = scope as Scope & { contexts?: ContextTable };
  return contexts ?? {};
}
