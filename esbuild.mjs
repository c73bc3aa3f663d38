// @ts-check
// Builds everything that ships: node esbuild.mjs [--watch] [--minify]. See build/README.md.
import { execFile } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build as bundle, context } from 'esbuild';
import { licenseOf, thirdPartyNotices } from './build/third-party-notices.ts';
import { viewReferences, viewRegistry } from './src/workspace/build/view-plugin.ts';
import { buildHash, stamp } from './src/workspace/build/view-stamp.ts';
import { KIT_FILE } from './src/workspace/scaffold/author-kit.ts';
import { KIT_PACKAGES, makeKit } from './src/workspace/scaffold/make-kit.ts';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */
/** @typedef {{ name: string, options: BuildOptions }} Bundle */

const root = import.meta.dirname;
const dist = join(root, 'dist');
/** The licenses of what ships and is by others. */
const NOTICES = join(dist, 'ThirdPartyNotices.txt');
const shipped = { id: 'parley', dir: root };

/** The public entry points of the npm package and what each is made of. */
const library = {
  'parley-mcp': 'src/core/index.ts',
  'parley-mcp/server': 'src/mcp/index.ts',
  'parley-mcp/testing': 'src/testing/index.ts',
  'parley-mcp/editor': 'src/core/editor.ts',
  'parley-mcp/webview': 'webview/api.ts',
};

/** `parley-mcp*` inside our own bundles is our source. */
function ourselves() {
  return Object.fromEntries(Object.entries(library).map(([name, file]) => [name, join(root, file)]));
}

/**
 * The bundles, in build order: the host build finds the views that the webview build then bundles.
 *
 * @param {{ minify?: boolean }} flags
 * @returns {Bundle[]}
 */
export function bundles({ minify = false } = {}) {
  /** @type {import('./src/workspace/build/view-plugin.ts').ViewFiles} */
  const views = new Map();
  /** @type {BuildOptions} */
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    minify,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    jsx: 'automatic',
    chunkNames: '[name]-[hash]',
  };
  /** @type {BuildOptions} */
  const node = {
    ...common,
    platform: 'node',
    target: 'node22',
    // CommonJS packages inside an ES module still call `require` for what Node has built in.
    banner: {
      js: "import { createRequire as parleyRequire } from 'node:module'; const require = parleyRequire(import.meta.url);",
    },
  };
  return [
    {
      name: 'host',
      options: {
        ...node,
        entryPoints: existing({
          extension: 'src/vscode/extension.ts',
          cli: 'src/cli/main.ts',
          'tool-worker': 'src/isolation/tool-side/tool-worker.ts',
          'tool-debug': 'src/isolation/tool-side/tool-debug.ts',
        }),
        outdir: dist,
        external: ['vscode', 'esbuild', 'esbuild-wasm'],
        alias: ourselves(),
        plugins: [viewReferences(shipped, views), fullZodApart()],
      },
    },
    // For the page as well, where views of workspace tools load it: without Node's banner, and small at all times.
    {
      name: 'zod',
      options: {
        ...node,
        entryPoints: { zod: 'zod' },
        outdir: join(dist, 'shared'),
        banner: {},
        minify: true,
      },
    },
    {
      name: 'webview',
      options: {
        ...common,
        entryPoints: existing({ boot: 'webview/boot.ts', main: 'webview/main.tsx' }),
        outdir: join(dist, 'webview'),
        platform: 'browser',
        target: 'chrome136',
        define: { 'process.env.NODE_ENV': '"production"' },
        loader: { '.ttf': 'file', '.woff2': 'file', '.svg': 'dataurl' },
        assetNames: '[name]',
        alias: ourselves(),
        plugins: [viewRegistry(shipped, views)],
      },
    },
    {
      name: 'lib',
      options: {
        ...node,
        entryPoints: existing(
          Object.fromEntries(Object.entries(library).map(([name, file]) => [fileNameOf(name), file])),
        ),
        outdir: join(dist, 'lib'),
        packages: 'external',
        banner: {},
        minify: false,
      },
    },
  ];
}

/** `parley-mcp/server` → `parley-mcp-server`: the file under which an entry is found. @param {string} specifier */
function fileNameOf(specifier) {
  return specifier.replaceAll('/', '-');
}

/** Leaves out entries whose source is not there, and says so. @param {Record<string, string>} entries */
function existing(entries) {
  return Object.fromEntries(
    Object.entries(entries).filter(([name, file]) => {
      const there = existsSync(join(root, file));
      if (!there) console.warn(`[build] ${name} is left out: there is no ${file}`);
      return there;
    }),
  );
}

/**
 * `#zod` is all of zod, for workspace tools. It is built apart: code splitting keeps whole files, so within the host
 * bundle it would undo the tree shaking of the zod that loads at activation.
 *
 * @returns {import('esbuild').Plugin}
 */
function fullZodApart() {
  return {
    name: 'full-zod-apart',
    setup(build) {
      build.onResolve({ filter: /^#zod$/ }, () => ({ path: './shared/zod.js', external: true }));
    },
  };
}

/**
 * Builds in order and publishes what could be built: host and page only together, since they speak of the same views.
 *
 * @param {{ name: string, rebuild(): Promise<import('esbuild').BuildResult> }[]} builds
 * @returns {Promise<boolean>} whether all could
 */
async function buildAll(builds) {
  /** @type {Map<string, import('esbuild').BuildResult>} */
  const built = new Map();
  for (const { name, rebuild } of builds) {
    const result = await rebuild().catch(report);
    if (result) built.set(name, result);
  }
  const complete = built.size === builds.length;
  if (!built.has('host') || !built.has('webview')) {
    built.delete('host');
    built.delete('webview');
  }
  const page = built.get('webview')?.outputFiles?.filter(({ path }) => /\.(js|css)$/.test(path)) ?? [];
  const hash = buildHash(page.map(({ path, text }) => ({ path: relative(dist, path), text })));
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (const [name, { outputFiles = [], metafile }] of built) {
    for (const { path, contents, text } of outputFiles) {
      files.set(path, path.endsWith('.js') ? Buffer.from(stamp(text, hash)) : contents);
    }
    files.set(join(dist, 'meta', `${name}.json`), Buffer.from(JSON.stringify(metafile)));
  }
  if (complete) files.set(NOTICES, Buffer.from(await noticesFor([...built.values()])));
  await write(files);
  if (complete) await removeAllBut(files);
  await publishEsbuild();
  return complete && (await publishAuthorKit());
}

/** @param {import('esbuild').BuildResult[]} built */
async function noticesFor(built) {
  const metafiles = built.flatMap(({ metafile }) => metafile ?? []);
  return await thirdPartyNotices({ root, metafiles, copied: ['esbuild-wasm', ...KIT_PACKAGES] });
}

/** Writes what changed. @param {Map<string, Uint8Array>} files */
async function write(files) {
  for (const [path, contents] of files) {
    const before = await readFile(path).catch(() => undefined);
    if (before?.equals(contents)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
}

/** Removes what earlier builds made and this one did not. @param {Map<string, Uint8Array>} files */
async function removeAllBut(files) {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const [folder] = relative(dist, path).split(sep);
    const ours =
      (entry.parentPath === dist && entry.name !== KIT_FILE) ||
      /^(shared|webview|lib|meta)$/.test(String(folder));
    if (entry.isFile() && ours && !files.has(path)) await rm(path);
  }
}

/** The bundler that workspace tools are built with: see src/workspace/README.md for why WebAssembly. */
async function publishEsbuild() {
  const from = join(root, 'node_modules', 'esbuild-wasm');
  const wanted = [
    'bin/esbuild',
    'lib/main.js',
    'esbuild.wasm',
    'wasm_exec.js',
    'wasm_exec_node.js',
    'LICENSE.md',
    'package.json',
  ];
  for (const file of wanted) {
    await cp(join(from, file), join(dist, 'esbuild', file), { preserveTimestamps: true, force: true });
  }
}

/**
 * The kit that authors of tools get with the extension: declarations and the code for tests. It takes a compiler, so it is
 * made only when something it is made of has changed.
 *
 * @returns {Promise<boolean>} whether it is up to date
 */
async function publishAuthorKit() {
  const file = join(dist, KIT_FILE);
  const made = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (made > (await newestOf(['src', 'webview', 'build', 'package-lock.json', 'tsconfig.lib.json'])))
    return true;
  const types = join(dist, 'types');
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'tsconfig.lib.json')]);
  } catch (failed) {
    console.error(/** @type {{ stdout?: string }} */ (failed).stdout ?? failed);
    return false;
  }
  const kit = makeKit({ root, types, code: await kitCode(), licenses: await kitLicenses() });
  await writeFile(file, JSON.stringify(kit));
  return true;
}

async function kitLicenses() {
  const licenses = KIT_PACKAGES.map(async (name) => [
    name,
    await licenseOf(root, `node_modules/${name}`, name),
  ]);
  return Object.fromEntries(await Promise.all(licenses));
}

/** What tests of tools run, minified: Parley without what it lends, and Effection. */
async function kitCode() {
  /** @type {Record<string, string>} */
  const entryPoints = { 'effection/index': 'effection' };
  for (const [name, file] of Object.entries(library)) {
    const entry = name === 'parley-mcp' ? 'index' : name.replace('parley-mcp/', '');
    if (/^(index|editor|testing)$/.test(entry)) entryPoints[`parley-mcp/${entry}`] = file;
  }
  const { outputFiles } = await bundle({
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
    plugins: [
      {
        name: 'lent-beside',
        setup({ onResolve }) {
          onResolve({ filter: /^(effection|zod)$/ }, ({ kind, path }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => [relative(dist, path).split(sep).join('/'), text]),
  );
}

/** When the last of these was changed. @param {string[]} paths @returns {Promise<number>} */
async function newestOf(paths) {
  const times = paths.map(async (path) => {
    const absolute = join(root, path);
    const { mtimeMs } = await stat(absolute);
    if (!(await stat(absolute)).isDirectory()) return mtimeMs;
    const entries = await readdir(absolute, { recursive: true });
    const inside = await Promise.all(
      entries.map(async (entry) => (await stat(join(absolute, entry))).mtimeMs),
    );
    return Math.max(mtimeMs, ...inside);
  });
  return Math.max(...(await Promise.all(times)));
}

/** @param {unknown} thrown */
function report(thrown) {
  const { errors } = /** @type {{ errors?: import('esbuild').Message[] }} */ (thrown);
  if (!errors) throw thrown;
  for (const { text, location } of errors) {
    const place = location
      ? `${resolve(root, location.file)}:${location.line}:${location.column + 1}`
      : 'build';
    console.error(`${place}: error: ${text}`);
  }
}

/** @param {() => Promise<void>} build */
async function watchSources(build) {
  let queued = false;
  let last = Promise.resolve();
  const changed = () => {
    if (queued) return;
    queued = true;
    setTimeout(() => {
      queued = false;
      last = last.then(build);
    }, 100);
  };
  for (const folder of ['src', 'webview']) watch(join(root, folder), { recursive: true }, changed);
}

async function main() {
  const flags = new Set(process.argv.slice(2));
  const contexts = await Promise.all(
    bundles({ minify: flags.has('--minify') }).map(async ({ name, options }) => {
      const made = await context(options);
      return { name, rebuild: () => made.rebuild(), dispose: () => made.dispose() };
    }),
  );
  if (flags.has('--watch')) {
    const build = async () => {
      console.log('[build] started');
      await buildAll(contexts);
      console.log('[build] finished');
    };
    await build();
    await watchSources(build);
    return;
  }
  process.exitCode = (await buildAll(contexts)) ? 0 : 1;
  await Promise.all(contexts.map(({ dispose }) => dispose()));
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) await main();
