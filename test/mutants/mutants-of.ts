import { parseSync } from 'vite';

/** A small mistake in a file. */
export interface Mutant {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Where it is in the text. */
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
}

const SWAPS: Readonly<Record<string, string>> = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&', '??': '&&', '+': '-', '-': '+', '*': '/', '/': '*' },
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Every small mistake that can be made in a file: another operator, the other branch, a number more, a statement less. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const add = (start: number, end: number, to: string) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, start, end, from: text.slice(start, end), to });
  };
  const visit = (node: Node): void => {
    // Types are gone where it runs.
    if (node.type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return;
    change(node, text, add);
    for (const value of Object.values(node)) {
      for (const child of [value].flat()) if (isNode(child)) visit(child);
    }
  };
  visit(parseSync(file, text).program as unknown as Node);
  return found;
}

function change(node: Node, text: string, add: (start: number, end: number, to: string) => void): void {
  const { left, right, operator, test, expression, value } = node;
  if (/^(Binary|Logical)Expression$/.test(node.type) && isNode(left) && isNode(right)) {
    const swapped = SWAPS[String(operator)];
    const at = text.indexOf(String(operator), left.end);
    if (swapped && at < right.start) add(at, at + String(operator).length, swapped);
  }
  if (/^(If|While)Statement$|^ConditionalExpression$/.test(node.type) && isNode(test)) {
    add(test.start, test.end, `!(${text.slice(test.start, test.end)})`);
  }
  if (node.type === 'Literal' && typeof value === 'boolean') add(node.start, node.end, String(!value));
  if (node.type === 'Literal' && typeof value === 'number') add(node.start, node.end, String(value + 1));
  if (node.type === 'ExpressionStatement' && isNode(expression) && expression.type !== 'Literal') {
    add(node.start, node.end, ';');
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Picks so many, of as many files as there are, the same for the same seed. */
export function pick(all: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = numbers(seed);
  const shuffled = all.map((mutant) => ({ mutant, at: random() })).sort((one, other) => one.at - other.at);
  const byFile = new Map<string, Mutant>();
  for (const { mutant } of shuffled) if (!byFile.has(mutant.file)) byFile.set(mutant.file, mutant);
  return [...byFile.values()].slice(0, count);
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
