// npm run build:types: takes out of `dist/types` what no public entry point leads to, which is most of it.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { dist, root } from '../paths.ts';

const reached = new Set<string>();
for (const entry of Object.values(manifest.exports)) {
  if (typeof entry !== 'string') reach(join(root, entry.types));
}
for (const file of globSync('types/**/*.d.ts', { cwd: dist })) {
  if (!reached.has(join(dist, file))) rmSync(join(dist, file));
}

function reach(file: string): void {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import\() ?["'](\.{1,2}\/[^"']+)["']/g,
  )) {
    reach(normalize(join(dirname(file), path.replace(/\.[jt]sx?$/, '.d.ts'))));
  }
}
