import { glob, readFile } from 'node:fs/promises';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** How many times a generator waits in a `finally` of its own. */
function waits(node: Node, inFinally = false): number {
  if (node.type === 'YieldExpression' && inFinally) return 1;
  const within = inFinally && !node.type.includes('Function');
  return Object.entries(node).reduce((sum, [key, value]) => {
    const there = within || (node.type === 'TryStatement' && key === 'finalizer');
    const children = (Array.isArray(value) ? value : [value]).filter(isNode);
    return children.reduce((so, child) => so + waits(child, there), sum);
  }, 0);
}

const read = (code: string, lang: 'ts' | 'tsx' = 'ts') => {
  const program: unknown = parseAst(code, { lang });
  return isNode(program) ? waits(program) : Number.NaN;
};

it('nothing waits in a finally: whoever called it would go on as if it had not been halted', async () => {
  const found: string[] = [];
  for await (const file of glob('{src,webview,examples}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules/**'],
  })) {
    const count = read(await readFile(file, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts');
    if (count > 0) found.push(`${file}: ${count}`);
  }
  expect(found).toEqual([]);
});

it('such a place is seen where it is, and not in a function of its own', () => {
  expect(read('function* a() { try {} finally { if (b) yield* c(); } }')).toBe(1);
  expect(read('function* a() { try { yield* c(); } finally { d(function* () { yield* c(); }); } }')).toBe(0);
});
