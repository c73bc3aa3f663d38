import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { doors } from '#build/layers.ts';

const root = join(import.meta.dirname, '..', '..');

/** These doors are for users of the package; our own code takes from such a folder just the file that it needs. */
const PUBLISHED_ONLY = ['src/core', 'src/chat', 'src/inline'];

/** Functions and constants that are the same thing in several rooms: of both stores, of both eras, a message and what it asks for. */
const SAME_IN_SEVERAL = new Set([
  ...['dueCalls', 'listKept', 'readKept', 'readKeptEvents', 'unavailable'],
  ...['callOf', 'noteIn', 'noted'],
  ...['followCall', 'goBack', 'openBlock', 'pickPath', 'takeResult'],
  ...['isObject', 'jsonObject', 'questions'],
]);

/** What each file imports of the others, types included. */
let imports: ReadonlyMap<string, readonly string[]>;

/** The files that export something of a name. */
let named: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const files: string[] = [];
  for await (const file of glob(['src/**/*.{ts,tsx,css}', 'webview/**/*.{ts,tsx,css}'], { cwd: root })) {
    files.push(file);
  }
  const known = new Set(files);
  const names = await Promise.all(
    files.map(async (file) =>
      namesIn(await readFile(join(root, file), 'utf8')).map((name) => ({ name, file })),
    ),
  );
  named = new Map(
    [...Map.groupBy(names.flat(), ({ name }) => name)].map(([name, all]) => [
      name,
      all.map(({ file }) => file),
    ]),
  );
  imports = new Map(
    await Promise.all(
      files.map(async (file) => {
        const text = await readFile(join(root, file), 'utf8');
        const specifiers = Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g), ([, to]) =>
          String(to),
        );
        const targets = specifiers.map((to) => normalize(join(dirname(file), to)));
        return [file, targets.filter((target) => known.has(target))] as const;
      }),
    ),
  );
});

describe('rooms', () => {
  test('no files import each other in a circle, not even for their types', () => {
    expect(imports.size).toBeGreaterThan(0);
    expect(circlesIn(imports)).toEqual([]);
  });

  test('a circle would be found', () => {
    expect(
      circlesIn(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
          ['d', []],
        ]),
      ),
    ).toEqual([['b', 'c']]);
  });

  test('a name that is exported means one thing', () => {
    expect(named.get('Session')).toHaveLength(1);
    const twice = [...named].filter(([name, files]) => files.length > 1 && !SAME_IN_SEVERAL.has(name));
    expect(twice).toEqual([]);
  });

  test('every door is known to layers.json, which refuses other ways in', () => {
    const found = [...imports.keys()].filter((file) => file.endsWith('/index.ts')).map(dirname);
    const known = [...doors.map(({ folder }) => `src/${folder}`), ...PUBLISHED_ONLY];
    expect(found.sort()).toEqual(known.sort());
  });

  test('every door is used, or published', async () => {
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const published = Object.values<{ types?: string }>(exports).map(({ types }) =>
      types?.replace('./dist/types/', '').replace('.d.ts', '.ts'),
    );
    const used = new Set([...imports.values()].flat());
    const files = [...imports.keys()].filter((file) => file.endsWith('/index.ts'));
    expect(files.filter((door) => !used.has(door) && !published.includes(door))).toEqual([]);
  });
});

/** Groups of files that reach each other (Tarjan's strongly connected components), sorted. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const low = (file: string) => lowest.get(file) ?? Number.POSITIVE_INFINITY;
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const to of graph.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(low(file), low(to)));
    }
    if (low(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) circles.push(group.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** What a file exports. A constant and its type are one name. */
function namesIn(text: string): readonly string[] {
  const found = text.matchAll(/^export (?:async )?(?:function\*?|class|interface|type|const) +(\w+)/gm);
  return [...new Set(Array.from(found, ([, name]) => String(name)))];
}
