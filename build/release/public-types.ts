import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../paths.ts';

/** The declarations that a public entry point leads to, as paths: of all that the compiler writes, these are published. */
export function publicTypes(): ReadonlySet<string> {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import)\(? ?["'](\.{1,2}\/[^"']+)["']/g,
    )) {
      reach(normalize(join(dirname(file), path.replace(/\.[jt]sx?$/, '.d.ts'))));
    }
  };
  for (const entry of Object.values(manifest.exports)) {
    if (typeof entry !== 'string') reach(join(root, entry.types));
  }
  return reached;
}
