/**
 * Makes the author kit. For the build only: it reads `node_modules` of Parley itself.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { pathBelow } from '../files/path-below.ts';
import type { AuthorKit } from './kit-files.ts';
import { kitDigest } from './kit-files.ts';

/** The packages that a kit has declarations or code of. */
export const KIT_PACKAGES = ['@types/node', '@types/react', 'csstype', 'effection', 'zod'] as const;

/** What a kit is made of. */
export interface KitParts {
  /** Parley's own folder. */
  readonly root: string;
  /** The output of `tsc -p build/tsconfig.lib.json`. */
  readonly types: string;
  /** Code by path below the generated folder. */
  readonly code: Readonly<Record<string, string>>;
  /** The license of each of `KIT_PACKAGES`. */
  readonly licenses: Readonly<Record<(typeof KIT_PACKAGES)[number], string>>;
}

/** The entry points that tools and their tests import, and where the compiler puts their declarations. */
const ENTRIES = {
  index: 'src/core/index.d.ts',
  editor: 'src/core/editor.d.ts',
  testing: 'src/testing/index.d.ts',
  webview: 'webview/api.d.ts',
} as const;

const ASSETS = `declare module '*.css';
declare module '*.svg' { const text: string; export default text; }
declare module '*.md' { const text: string; export default text; }
declare module '*.txt' { const text: string; export default text; }
`;

/** Declarations of Parley and of what it lends, as they are in its `node_modules`, and the code for tests. */
export function makeKit({ root, types, code, licenses }: KitParts): AuthorKit {
  const files: Record<string, string> = { ...code, 'parley-mcp/assets.d.ts': ASSETS };
  const packages = join(root, 'node_modules');

  for (const [name, entry] of Object.entries(ENTRIES)) {
    files[`parley-mcp/${name}.d.ts`] = `export * from './types/${entry.replace(/\.d\.ts$/, '.js')}';\n`;
    take(types, entry, 'parley-mcp/types');
  }
  take(join(packages, 'effection'), 'types/mod.d.ts', 'effection');
  files['effection/index.d.ts'] = "export * from './types/mod.js';\n";
  for (const entry of ['index.d.ts', 'v4/index.d.ts', 'mini/index.d.ts'])
    take(join(packages, 'zod'), entry, 'zod');
  for (const entry of ['index.d.ts', 'jsx-runtime.d.ts', 'jsx-dev-runtime.d.ts']) {
    take(join(packages, '@types/react'), entry, '@types/react');
  }
  take(join(packages, 'csstype'), 'index.d.ts', 'csstype');
  for (const path of globSync('**/*.d.ts', { cwd: join(packages, '@types/node') })) {
    if (!/^ts\d/.test(path)) take(join(packages, '@types/node'), path.split(sep).join('/'), '@types/node');
  }
  for (const [name, text] of Object.entries(licenses)) files[`${name}/LICENSE`] = text;
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { version: kitDigest(sorted), files: sorted };

  /** A declaration file and all that it refers to by a relative path. */
  function take(from: string, path: string, to: string): void {
    const target = posix.join(to, path);
    if (files[target] !== undefined) return;
    const text = readFileSync(join(from, path), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    files[target] = text;
    for (const specifier of relativeReferences(text)) {
      const file = declarationOf(join(from, dirname(path), specifier));
      // Examples in comments import files that are not there.
      if (!existsSync(file)) continue;
      take(from, pathBelow(from, file), to);
    }
  }
}

function relativeReferences(text: string): string[] {
  const imports = text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g);
  const references = text.matchAll(/<reference path="([^"]+)"/g);
  return [...imports, ...references].map(([, specifier = '']) => specifier);
}

/** The declaration file that a specifier means: `./x.js`, `./x.d.ts`, `./x`. */
function declarationOf(path: string): string {
  if (path.endsWith('.d.ts')) return path;
  if (/\.tsx?$/.test(path)) return path.replace(/\.tsx?$/, '.d.ts');
  return path.endsWith('.js') ? path.replace(/\.js$/, '.d.ts') : `${path}.d.ts`;
}
