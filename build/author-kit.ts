import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { KIT_FILE, packedKit } from '../src/workspace/scaffold/author-kit.ts';
import { KIT_PACKAGES, type KitParts, makeKit } from '../src/workspace/scaffold/make-kit.ts';
import { library } from './bundles.ts';
import { dist, root } from './paths.ts';
import { licenseOf } from './third-party-notices.ts';

/**
 * The kit that authors of tools get with the extension: declarations and the code for tests. It takes a compiler, so it is
 * made only when something it is made of has changed.
 *
 * @returns whether it is up to date
 */
export async function publishAuthorKit(): Promise<boolean> {
  const file = join(dist, KIT_FILE);
  const made = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (made > (await newestOf(['src', 'webview', 'build', 'package-lock.json']))) return true;
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'build', 'tsconfig.lib.json')]);
  } catch (failed) {
    console.error((failed as { stdout?: string }).stdout ?? failed);
    return false;
  }
  const parts = { root, types: join(dist, 'types'), code: await kitCode(), licenses: await kitLicenses() };
  await writeFile(file, packedKit(makeKit(parts)));
  return true;
}

async function kitLicenses(): Promise<KitParts['licenses']> {
  const read = KIT_PACKAGES.map(
    async (name) => [name, await licenseOf(root, `node_modules/${name}`, name)] as const,
  );
  return Object.fromEntries(await Promise.all(read)) as KitParts['licenses'];
}

/** What tests of tools run, minified: Parley without what it lends, and Effection. */
async function kitCode(): Promise<Record<string, string>> {
  const entryPoints: Record<string, string> = { 'effection/index': 'effection' };
  for (const [name, file] of Object.entries(library)) {
    const entry = name === 'parley-mcp' ? 'index' : name.replace('parley-mcp/', '');
    if (/^(index|editor|testing)$/.test(entry)) entryPoints[`parley-mcp/${entry}`] = file;
  }
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    write: false,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    legalComments: 'none',
    chunkNames: 'parley-mcp/chunks/[name]-[hash]',
    plugins: [lentBeside],
  });
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => [relative(dist, path).split(sep).join('/'), text]),
  );
}

/** What Parley lends is in the kit once, beside the code that uses it. */
const lentBeside: Plugin = {
  name: 'lent-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^(effection|#?zod)$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: path.replace('#', ''), external: true },
    );
  },
};

/** When the last of these was changed. */
async function newestOf(paths: readonly string[]): Promise<number> {
  const times = paths.map(async (path) => {
    const absolute = join(root, path);
    const own = await stat(absolute);
    if (!own.isDirectory()) return own.mtimeMs;
    const entries = await readdir(absolute, { recursive: true });
    const inside = await Promise.all(
      entries.map(async (entry) => (await stat(join(absolute, entry))).mtimeMs),
    );
    return Math.max(own.mtimeMs, ...inside);
  });
  return Math.max(...(await Promise.all(times)));
}
