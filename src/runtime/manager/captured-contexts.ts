import type { Context, Scope } from 'effection';
import type { ContextPlace } from '../taskless/wait.ts';

/** Contexts by name, each level inheriting from the one above: how Effection keeps them. */
type ContextTable = Record<string, unknown>;

/** What belongs to a scope's own life, and would be wrong in any other. */
const isInternal = (name: string) => name.startsWith('@effection/') || name.startsWith('api::');

/** What was last found in a scope: most calls of a server begin in the same one, where nothing has changed. */
interface Captured {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  readonly put: (into: ContextPlace) => void;
}

const last = new WeakMap<Scope, Captured>();

/**
 * Copies the contexts in force in one scope into another one: a call outlives whoever created it, and still runs with
 * the editor abilities, clock and ids that were in force there.
 *
 * Effection offers no way to list contexts; this reads the table every scope has. Without the table nothing is copied.
 */
export function captureContexts(from: Scope): (into: ContextPlace) => void {
  const table = tableOf(from);
  const known = last.get(from);
  if (known && isSame(known, table)) return known.put;
  const names: string[] = [];
  for (const name in table) if (!isInternal(name)) names.push(name);
  const captured = capturedOf(
    names,
    names.map((name) => table[name]),
  );
  last.set(from, captured);
  return captured.put;
}

function isSame({ names, values }: Captured, table: ContextTable): boolean {
  let at = 0;
  for (const name in table) {
    if (isInternal(name)) continue;
    if (names[at] !== name || values[at] !== table[name]) return false;
    at += 1;
  }
  return at === names.length;
}

function capturedOf(names: readonly string[], values: readonly unknown[]): Captured {
  const contexts = names.map((name) => ({ name }) as Context<unknown>);
  const put = (into: ContextPlace): void => {
    for (let at = 0; at < contexts.length; at++) into.set(contexts[at] as Context<unknown>, values[at]);
  };
  return { names, values, put };
}

function tableOf(scope: Scope): ContextTable {
  const { contexts } = scope as Scope & { contexts?: ContextTable };
  return contexts ?? {};
}
