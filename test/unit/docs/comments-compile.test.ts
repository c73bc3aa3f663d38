import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { commentExamplesOf, exampleModule } from './comment-examples.ts';
import { compileFolder } from './compile-folder.ts';

/*
 * What comments in the source show is compiled against the real API. An example is a few lines out of something larger: names that
 * nobody exports are taken as they come, what is done with all others has to be right.
 */

const root = join(import.meta.dirname, '..', '..', '..');
await mkdir(join(root, 'test-results'), { recursive: true });
const out = await mkdtemp(join(root, 'test-results', 'comments-'));
afterAll(() => rm(out, { recursive: true, force: true }));

/** Where each public name comes from, those of types included. */
const entries = new Map([['expect', 'vitest']]);
for (const [path, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue;
  const entry = `parley-mcp${path.slice(1)}`;
  const source = target.types.replace('./dist/types/', '').replace(/\.d\.ts$/, '.ts');
  const lists = (await readFile(join(root, source), 'utf8')).matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  const names = [...lists].flatMap(([, list = '']) => list.match(/\w+(?=\s*(?:,|$))/g) ?? []);
  for (const name of [...names, ...Object.keys(await import(entry))]) {
    if (!entries.has(name)) entries.set(name, entry);
  }
}

/** That nobody declares a name, and that a parameter of something unknown has no type. */
const UNKNOWN = /error TS(2304|2503|2552|7006|7031|18004):/;

const examples = [{ path: 'canary.ts', line: 1, code: 'confirm(42);\nsomebody(42);\n' }];
for await (const path of glob(
  '{src/{core,runtime,mcp,chat,inline,stores,testing,vscode/agents/api},webview}/**/*.{ts,tsx}',
  { cwd: root },
)) {
  const found = commentExamplesOf(await readFile(join(root, path), 'utf8'));
  examples.push(...found.map((example) => ({ path, ...example })));
}
const fileOf = ({ path, line }: (typeof examples)[number]) =>
  `${path.replaceAll(/[\\/.]/g, '-')}-${line}.tsx`;

describe('what comments show', async () => {
  for (const example of examples) {
    await writeFile(join(out, fileOf(example)), exampleModule(example.code, entries));
  }
  const options = { noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false };
  const complaints = compileFolder(root, out, options);
  const complaintsOf = async (example: (typeof examples)[number]) =>
    ((await complaints).get(fileOf(example)) ?? []).filter((complaint) => !UNKNOWN.test(complaint));

  test.each(examples.slice(0, 1))('would be found out', async (canary) => {
    expect(await complaintsOf(canary)).toEqual([expect.stringContaining('TS2554')]);
  });

  test.each(examples.slice(1))('compiles: $path:$line', async (example) => {
    expect(await complaintsOf(example)).toEqual([]);
  });
});
