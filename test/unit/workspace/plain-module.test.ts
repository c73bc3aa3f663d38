import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { compileFunction } from 'node:vm';
import { type Operation, run, until } from 'effection';
import { expect, test } from 'vitest';
import { modulesOf } from '#src/workspace/build/build-outputs.ts';
import type { EsModule } from '#src/workspace/build/built-module.ts';
import { useHostBuild } from '#src/workspace/build/host-build.ts';
import { LENT_TO_HOST, lentObject } from '#src/workspace/build/lent-modules.ts';
import { plainCommonJs } from '#src/workspace/build/plain-module.ts';
import { useFolder } from './folder-fixture.ts';
import { sharedEsbuild } from './workspace-fixture.ts';

/** The outputs of a build of files, by the name of the file. */
function* built(
  files: Readonly<Record<string, string>>,
  besides: Readonly<Record<string, string>> = {},
): Operation<(name: string) => EsModule> {
  const folder = yield* useFolder({ ...files, ...besides });
  const root = { id: 'test', dir: folder.path };
  const wanted = Object.keys(files).map((name) => folder.file(name));
  const build = yield* useHostBuild(sharedEsbuild(), {
    root,
    files: wanted,
    broken: new Set(),
    views: new Map(),
  });
  const attempt = yield* build.run();
  if (!('result' in attempt)) throw new Error(JSON.stringify(attempt.errors));
  const modules = [...modulesOf(attempt.result, folder.path, '').values()];
  return (name) => {
    const found = modules.find(({ source }) => source !== undefined && basename(source) === name);
    if (!found) throw new Error(`no output of ${name}`);
    return found;
  };
}

/** What the code exports, run as a realm runs it. */
async function exportsOf(code: string): Promise<Record<string, unknown>> {
  const lent = new Map<string, unknown>();
  for (const [name, load] of Object.entries(LENT_TO_HOST)) lent.set(name, lentObject(await load()));
  const module = { exports: {} as Record<string, unknown> };
  compileFunction(code, ['exports', 'require', 'module'])(
    module.exports,
    (id: string) => lent.get(id),
    module,
  );
  return module.exports;
}

const EVERY_WAY = `import 'effection';
import * as z from 'zod';
import React, { useState as state, useMemo } from 'react';
import { createMcpTool } from 'parley-mcp';
import { double } from './helper.ts';

export const letters = z.string();
export { double as twice, state };
export let count = 0;
export const rise = () => { count += 1; };
export default class Thing {}
export const others = [React.useMemo === useMemo, typeof createMcpTool];
export const text = \`
  import is a word; export, too
\`;
`;

const HELPER = `import { z } from 'zod';
export const double = (n: number) => z.number().parse(n) * 2;
`;

test('is what the bundler would make of it: the same names in the same order, live, and the same values', () =>
  run(function* () {
    const module = (yield* built({ 'tool.ts': EVERY_WAY }, { 'helper.ts': HELPER }))('tool.ts');
    const plain = plainCommonJs(module);
    const bundlers = yield* until(sharedEsbuild().api().transform(module.text, { format: 'cjs' }));
    const [ours, theirs] = [
      yield* until(exportsOf(plain?.code ?? '')),
      yield* until(exportsOf(bundlers.code)),
    ];
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    expect(Object.keys(ours)).toEqual([
      'count',
      'default',
      'letters',
      'others',
      'rise',
      'state',
      'text',
      'twice',
    ]);
    expect(ours).toMatchObject({ others: [true, 'function'], text: theirs.text, count: 0 });
    expect(ours.state).toBe(theirs.state);
    (ours.rise as () => void)();
    expect(ours.count).toBe(1);
    expect((ours.twice as (n: number) => number)(4)).toBe(8);
    expect('__esModule' in ours).toBe(true);
  }));

test('keeps each line where it is: its source map holds', () =>
  run(function* () {
    const source = `import { z } from 'zod';\nimport {\n  call,\n} from 'effection';\n\nexport const here = () => [z, call];\n`;
    const plain = plainCommonJs((yield* built({ 'tool.ts': source }))('tool.ts'));
    const lines = plain?.code.split('\n') ?? [];
    const line = lines.findIndex((text) => text.includes('here = '));
    const entry = new SourceMap(JSON.parse(plain?.map ?? '')).findEntry(line, 0);
    expect(entry).toMatchObject({ originalLine: 5, originalSource: expect.stringContaining('tool.ts') });
  }));

test.each<[string, string]>([
  ['imports what is not lent', `import { sep } from 'node:path';\nexport const a = sep;`],
  ['imports something later', `export const a = () => import('zod');`],
  ['shares a module with another file', `import { double } from './helper.ts';\nexport const a = double;`],
  ['knows where it is', `export const a = import.meta.url + module;\ndeclare const module: string;`],
  ['looks at what CommonJS has', `export const a = typeof exports;\ndeclare const exports: unknown;`],
  [
    'has a text that reads like an import',
    'import { z } from "zod";\nexport const a = [z, `\nimport { b } from "zod";\n`];',
  ],
  [
    'has a text that reads like exports',
    'import { z } from "zod";\nexport const a = [z, `\nexport {\n  b\n};\n`];',
  ],
  ['exports a name that is no word', `const a = 1;\nexport { a as 'an a' };`],
])('leaves a file to the bundler that %s', (_why, source) =>
  run(function* () {
    const other = `import { double } from './helper.ts';\nexport const other = double;`;
    const module = (yield* built({ 'tool.ts': source, 'other.ts': other }, { 'helper.ts': HELPER }))(
      'tool.ts',
    );
    expect(plainCommonJs(module)).toBeUndefined();
  }),
);
