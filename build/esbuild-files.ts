import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dist, root } from './paths.ts';

const WANTED = [
  'bin/esbuild',
  'lib/main.js',
  'esbuild.wasm',
  'wasm_exec.js',
  'wasm_exec_node.js',
  'LICENSE.md',
  'package.json',
];

/** The bundler that workspace tools are built with, as it is; `src/workspace/README.md` says why WebAssembly. */
export async function esbuildFiles(): Promise<Map<string, Uint8Array>> {
  const from = join(root, 'node_modules', 'esbuild-wasm');
  const read = WANTED.map(
    async (file) => [join(dist, 'esbuild', file), await readFile(join(from, file))] as const,
  );
  return new Map(await Promise.all(read));
}
