import { hash } from 'node:crypto';
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

/**
 * Picks so many, one of a file, the same for the same seed. Which ones hangs on themselves alone, so that a change elsewhere picks no
 * others.
 */
export function pick(all: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const rank = ({ file, start, to }: Mutant) => hash('sha1', `${seed} ${file} ${start} ${to}`);
  const ranked = all.map((mutant) => ({ mutant, at: rank(mutant) }));
  ranked.sort((one, other) => (one.at < other.at ? -1 : 1));
  const byFile = new Map<string, Mutant>();
  for (const { mutant } of ranked) if (!byFile.has(mutant.file)) byFile.set(mutant.file, mutant);
  return [...byFile.values()].slice(0, count);
}
