import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { BuildFailure, BuildResult } from 'esbuild';
import { buildHash, stamp } from '../src/workspace/build/views/view-stamp.ts';
import { KIT_PACKAGES } from '../src/workspace/scaffold/make-kit.ts';
import { publishAuthorKit } from './author-kit.ts';
import { esbuildFiles } from './esbuild-files.ts';
import { dist, root } from './paths.ts';
import { removeAllBut, write } from './publish.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

/** A bundle that can be built again and again. */
export interface Build {
  readonly name: string;
  rebuild(): Promise<BuildResult>;
}

/** They speak of the same views, and with each other. */
const TOGETHER = ['host', 'workers', 'webview'];

/**
 * Builds in order and publishes what could be built: host, workers and page only together.
 *
 * @returns whether all could
 */
export async function buildAll(builds: readonly Build[]): Promise<boolean> {
  const built = new Map<string, BuildResult>();
  for (const { name, rebuild } of builds) {
    const result = await rebuild().catch(report);
    if (result) built.set(name, result);
  }
  const complete = built.size === builds.length;
  if (!TOGETHER.every((name) => built.has(name))) for (const name of TOGETHER) built.delete(name);
  const files = stamped(built);
  for (const [path, contents] of await esbuildFiles()) files.set(path, contents);
  files.set(join(dist, 'quickjs.wasm'), await readFile(join(root, 'node_modules/quickjs-wasi/quickjs.wasm')));
  if (complete) files.set(join(dist, 'ThirdPartyNotices.txt'), Buffer.from(await noticesOf(built)));
  await write(files);
  if (complete) await removeAllBut(files);
  return complete && (await publishAuthorKit());
}

/** What was built, by path, host and page with the hash by which they know each other; and what it was made of. */
function stamped(built: ReadonlyMap<string, BuildResult>): Map<string, Uint8Array> {
  const page = built.get('webview')?.outputFiles?.filter(({ path }) => /\.(js|css)$/.test(path)) ?? [];
  const hash = buildHash(page.map(({ path, text }) => ({ path: relative(dist, path), text })));
  const files = new Map<string, Uint8Array>();
  for (const [name, { outputFiles = [], metafile }] of built) {
    for (const { path, contents, text } of outputFiles) {
      files.set(path, path.endsWith('.js') ? Buffer.from(stamp(text, hash)) : contents);
    }
    files.set(join(dist, 'meta', `${name}.json`), Buffer.from(JSON.stringify(metafile)));
  }
  return files;
}

function noticesOf(built: ReadonlyMap<string, BuildResult>): Promise<string> {
  const metafiles = [...built.values()].flatMap(({ metafile }) => metafile ?? []);
  return thirdPartyNotices({ root, metafiles, copied: ['esbuild-wasm', ...KIT_PACKAGES] });
}

/** Prints what esbuild has found, in the form that editors read. */
function report(thrown: unknown): undefined {
  const { errors } = thrown as Partial<BuildFailure>;
  if (!errors) throw thrown;
  for (const { text, location } of errors) {
    const place = location
      ? `${resolve(root, location.file)}:${location.line}:${location.column + 1}`
      : 'build';
    console.error(`${place}: error: ${text}`);
  }
  return undefined;
}
