import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { type ViewFiles, viewReferences, viewRegistry } from '../src/workspace/build/views/view-plugin.ts';
import { iconImages } from './icon-images.ts';
import { dist, root } from './paths.ts';
import { startsAsOne } from './starts-as-one.ts';

/** One run of esbuild. */
export interface Bundle {
  readonly name: string;
  readonly options: BuildOptions;
}

const shipped = { id: 'parley', dir: root };

/** The public entry points of the npm package and what each is made of. */
export const library: Readonly<Record<string, string>> = {
  'parley-mcp': 'src/core/index.ts',
  'parley-mcp/server': 'src/mcp/index.ts',
  'parley-mcp/chat': 'src/chat/index.ts',
  'parley-mcp/inline': 'src/inline/index.ts',
  'parley-mcp/stores': 'src/stores/index.ts',
  'parley-mcp/postgres': 'src/stores/postgres/index.ts',
  'parley-mcp/testing': 'src/testing/index.ts',
  'parley-mcp/editor': 'src/core/editor.ts',
  'parley-mcp/webview': 'webview/api.ts',
};

/** What `parley pack` puts into programs; no entry point of the package. */
const packed = { 'parley-mcp/packed': 'src/cli/pack/entry.ts' };

/** `parley-mcp*` inside our own bundles is our source. */
function ourselves(): Record<string, string> {
  return Object.fromEntries(Object.entries(library).map(([name, file]) => [name, join(root, file)]));
}

/** The bundles, in build order: the host build finds the views that the webview build then bundles. */
export function bundles({ minify = false }: { readonly minify?: boolean } = {}): Bundle[] {
  const views: ViewFiles = new Map();
  const common: BuildOptions = {
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
  const node: BuildOptions = {
    ...common,
    // What packages are for those who bundle them: the other half of jsonc-parser hides its parts from a bundler.
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node22',
    // CommonJS packages inside an ES module still call `require` for what Node has built in.
    banner: {
      js: "import { createRequire as parleyRequire } from 'node:module'; const require = parleyRequire(import.meta.url);",
    },
  };
  const inNode = (found: ViewFiles) => ({
    ...node,
    outdir: dist,
    // PostgreSQL's driver is for who serves teams: they install it.
    external: ['vscode', 'esbuild', 'esbuild-wasm', 'pg'],
    alias: { ...ourselves() },
    plugins: [viewReferences(shipped, found), fullZodApart()],
  });
  const host = inNode(views);
  return [
    {
      name: 'host',
      options: {
        ...host,
        entryPoints: existing({
          extension: 'src/vscode/extension.ts',
          'test-hooks': 'src/testing/node/hooks.ts',
          'test-reporter': 'src/testing/node/reporter.ts',
        }),
        plugins: [
          ...host.plugins,
          // The list of calls is read with each start, for some may wait.
          startsAsOne({
            start: ['src/vscode/extension.ts', 'src/vscode/calls/history/open-kept-calls.ts'],
            own: 'src/vscode',
          }),
        ],
      },
    },
    // Apart from the host, and small at all times: a client waits for it with each start, and npm takes along nothing of the editor.
    {
      name: 'cli',
      options: {
        ...inNode(new Map()),
        entryPoints: existing({
          cli: 'src/cli/main.ts',
          'code-worker': 'src/code/sandbox/code-worker.ts',
        }),
        minify: true,
        chunkNames: 'cli-[name]-[hash]',
        plugins: [
          ...inNode(new Map()).plugins,
          startsAsOne({ start: ['src/cli/alone.ts'], own: 'src/cli/alone.ts' }),
        ],
      },
    },
    // Small at all times, too: each tool file waits for what a thread loads, and keeps it in memory.
    {
      name: 'workers',
      options: {
        ...inNode(new Map()),
        minify: true,
        entryPoints: existing({
          'tool-worker': 'src/isolation/tool-side/tool-worker.ts',
          'tool-debug': 'src/isolation/tool-side/tool-debug.ts',
        }),
        chunkNames: 'tool-[name]-[hash]',
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
    // Small at all times, too: each panel loads it anew, and a person waits for that.
    {
      name: 'webview',
      options: {
        ...common,
        minify: true,
        entryPoints: existing({ boot: 'webview/boot.ts', main: 'webview/main.tsx' }),
        outdir: join(dist, 'webview'),
        platform: 'browser',
        target: 'chrome136',
        define: { 'process.env.NODE_ENV': '"production"' },
        loader: { '.ttf': 'file', '.woff2': 'file', '.svg': 'dataurl' },
        assetNames: '[name]',
        alias: { ...ourselves() },
        plugins: [viewRegistry(shipped, views), markdownApart()],
      },
    },
    {
      name: 'markdown',
      options: {
        ...common,
        entryPoints: { marked: 'marked' },
        outdir: join(dist, 'webview'),
        platform: 'browser',
        target: 'chrome136',
        minify: true,
        sourcemap: false,
      },
    },
    // The same page for a conversation: its scripts and its style, which a document holds.
    {
      name: 'mcp-app',
      options: {
        ...common,
        splitting: false,
        format: 'iife',
        minify: true,
        sourcemap: false,
        entryPoints: existing({
          'mcp-app-boot': 'webview/mcp-app/boot.ts',
          'mcp-app': 'webview/mcp-app/main.tsx',
        }),
        outdir: join(dist, 'webview'),
        platform: 'browser',
        target: 'chrome136',
        define: { 'process.env.NODE_ENV': '"production"' },
        alias: { ...ourselves() },
        plugins: [viewRegistry(shipped, views), iconImages()],
      },
    },
    {
      name: 'lib',
      options: {
        ...node,
        entryPoints: existing(
          Object.fromEntries(
            Object.entries({ ...library, ...packed }).map(([name, file]) => [fileNameOf(name), file]),
          ),
        ),
        outdir: join(dist, 'lib'),
        // What a tool or a program brings itself, and shares with us. All else comes along: who installs the package installs two others.
        external: ['effection', 'zod', 'react', 'pg', '@opentelemetry/api'],
        plugins: [fullZodApart('zod')],
        banner: {},
        minify: false,
      },
    },
  ];
}

/** `parley-mcp/server` → `parley-mcp-server`: the file under which an entry is found. */
function fileNameOf(specifier: string): string {
  return specifier.replaceAll('/', '-');
}

/** Leaves out entries whose source is not there, and says so. */
function existing(entries: Readonly<Record<string, string>>): Record<string, string> {
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
 */
function fullZodApart(path = './shared/zod.js'): Plugin {
  return {
    name: 'full-zod-apart',
    setup(build) {
      build.onResolve({ filter: /^#zod$/ }, () => ({ path, external: true }));
    },
  };
}

/**
 * What reads Markdown is a file of its own, loaded when a text first needs it. It is built apart: code splitting would put
 * what both files need into a third, which the page would have to fetch before it can draw.
 */
function markdownApart(): Plugin {
  return {
    name: 'markdown-apart',
    setup(build) {
      build.onResolve({ filter: /^marked$/ }, () => ({ path: './marked.js', external: true }));
    },
  };
}
