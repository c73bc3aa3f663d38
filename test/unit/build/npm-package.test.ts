import { glob, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicTypes } from '#build/release/public-types.ts';
import { PAGE_FILES } from '#src/mcp/apps/page-files.ts';
import { npm } from '#test/harness/npm.ts';
import manifest from '../../../package.json' with { type: 'json' };

/*
 * What npm would publish, by its list. A project that installs it: `test/mcp/installed-package.test.ts`.
 */

const root = join(import.meta.dirname, '..', '..', '..');

/** Everything that may be published, and has to be. */
const GOLDEN = [
  /^package\.json$/,
  /^README\.md$/,
  /^CHANGELOG\.md$/,
  /^LICENSE$/,
  /^(SECURITY|CONTRIBUTING)\.md$/,
  // What the README and these link to.
  /^docs\/[\w-]+\.md$/,
  /^docs\/images\/[\w-]+\.(png|gif)$/,
  /^examples\/(chat-server|team|workspace|packs\/\w+)\/README\.md$/,
  /^examples\/team\/(Containerfile|compose\.yaml|haproxy\.cfg|tools\/greet\.ts)$/,
  /^examples\/deploy\/(parley\.service|nginx\.conf)$/,
  /^examples\/packs\/\w+\/(picture\.png|recording\.gif)$/,
  /^examples\/chat-server\/[\w-]+\.ts$/,
  /^examples\/(workspace|cookbook|packs\/\w+)\/\.parley\/tools\/[\w/.-]+\.(tsx?|css)$/,
  /^dist\/ThirdPartyNotices\.txt$/,
  // The command line, its workers and their chunks.
  ...['cli', 'tool-worker', 'tool-debug', 'code-worker'].map((name) => new RegExp(`^dist/${name}\\.js$`)),
  /^dist\/quickjs\.wasm$/,
  /^dist\/(cli|tool)-[\w-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/shared\/zod\.js$/,
  // The pages of questions.
  ...PAGE_FILES.map((name) => new RegExp(`^dist/webview/${name}$`)),
  // For `parley new`.
  /^dist\/author-kit\.gz$/,
  /^dist\/lib\/[\w.-]+\.js$/,
  /^dist\/types\/(src|webview)\/[\w/-]+\.d\.ts$/,
];

/** What `npm run docs:api` adds before packing. */
const WRITTEN_THEN = [/^llms\.txt$/, /^docs\/api\/[\w/-]+\.md$/];

/** What only the editor reads of what is built. */
const EDITOR_ONLY =
  /^dist\/(esbuild\/|webview\/|extension\.js$|test-(hooks|reporter)\.js$|(?!(cli|tool)-)[\w-]+-[A-Z0-9]{8}\.js$)/;

const listed = await npm('Listing the package', ['pack', '--dry-run', '--json', '--ignore-scripts'], root);
const [{ files: packed }] = JSON.parse(listed.slice(listed.indexOf('[\n'))) as [
  { files: { path: string }[] },
];
const files = packed.map(({ path }) => path);

const read = (path: string) => readFile(join(root, path), 'utf8');

describe('the npm package', () => {
  test('holds what is published, and nothing else', () => {
    expect(
      files.filter((path) => ![...GOLDEN, ...WRITTEN_THEN].some((pattern) => pattern.test(path))),
    ).toEqual([]);
    expect(GOLDEN.filter((pattern) => !files.some((path) => pattern.test(path)))).toEqual([]);
  });

  test('leaves out of what is built only what the editor alone reads', async () => {
    const built: string[] = [];
    for await (const path of glob('dist/**/*.*', { cwd: root })) built.push(path.replaceAll('\\', '/'));
    const left = built.filter(
      (path) => !/^dist\/(meta|types|docs)\/|\.map$/.test(path) && !files.includes(path),
    );
    expect(left.filter((path) => !EDITOR_ONLY.test(path))).toEqual([]);
    const readBy: string[] = [];
    const names = left
      .filter((path) => !path.startsWith('dist/esbuild/'))
      .map((path) => posix.basename(path));
    for await (const path of glob('src/**/*.ts', { cwd: root, exclude: ['src/vscode/**'] })) {
      // esbuild's own, which the editor has beside it.
      const text = (await read(path)).replaceAll("'lib', 'main.js'", '');
      readBy.push(...names.filter((name) => text.includes(`'${name}'`)).map((name) => `${path}: ${name}`));
    }
    expect(readBy).toEqual([]);
  });

  test('has the declarations that only add to the types of another package', async () => {
    const index = await read('dist/types/src/core/index.d.ts');
    const added = [...index.matchAll(/^import '(.+)\.ts';$/gm)].map(([, path = '']) => path);
    expect(added).toContain('./form/field-meta');
    for (const path of added) expect(files).toContain(posix.join('dist/types/src/core', `${path}.d.ts`));
  });

  test('depends on every package that its code and its declarations import, and on no other', async () => {
    const imported = new Set<string>();
    for (const name of ['cli', 'workers', 'lib']) {
      const { outputs }: { outputs: Record<string, { imports: { path: string; external?: boolean }[] }> } =
        JSON.parse(await read(`dist/meta/${name}.json`));
      for (const { imports } of Object.values(outputs))
        for (const { path, external } of imports) if (external) imported.add(path);
    }
    for (const path of publicTypes()) {
      for (const [, from = ''] of (await readFile(path, 'utf8')).matchAll(
        /(?:from|import\() ?["']([^"']+)["']/g,
      ))
        imported.add(from);
    }
    const packages = [...imported].flatMap((path) => {
      const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(path) ?? [];
      return path.startsWith('.') || isBuiltin(path) || name === 'vscode' ? [] : [name];
    });
    // `parley serve` builds modules with one of these.
    const needed = new Set([...packages, 'esbuild', 'esbuild-wasm']);
    expect(Object.keys(manifest.peerDependencies).sort()).toEqual([...needed].sort());
    expect(manifest).not.toHaveProperty('dependencies');
    const optional = Object.keys(manifest.peerDependenciesMeta);
    expect([...needed].filter((name) => !optional.includes(name)).sort()).toEqual(['effection', 'zod']);
  });

  test('fetches the esbuild that it was tried with', async () => {
    const { packages } = JSON.parse(await read('package-lock.json')) as {
      packages: Record<string, { version: string; integrity: string }>;
    };
    const { version = '', integrity = '' } = packages['node_modules/esbuild-wasm'] ?? {};
    const fetched = await read('src/cli/modules/fetched-esbuild.ts');
    expect(fetched).toContain(`version: '${version}'`);
    expect(fetched).toContain(`'${integrity}'`);
  });

  test('has an entry for all that it exports', () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? entry : Object.values(entry),
    );
    const paths = [...targets, ...Object.values(manifest.bin)].map((path) => path.slice(2));
    expect(paths.filter((path) => !files.includes(path))).toEqual([]);
    // What `npx parley-mcp` starts.
    expect(manifest.bin).toHaveProperty(manifest.name);
  });

  test('has pages whose links and pictures lead to what it holds, and no other pictures', async () => {
    const linked = new Set<string>();
    // These two speak of the source.
    const pages = files.filter((path) => /^(?!docs\/architecture|CONTRIBUTING).*\.md$/.test(path));
    for (const page of pages) {
      for (const [, target = ''] of (await read(page)).matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)) {
        linked.add(posix.join(posix.dirname(page), target));
      }
    }
    const there = (target: string) => files.some((path) => path === target || path.startsWith(`${target}/`));
    expect([...linked].filter((target) => !there(target))).toEqual([]);
    expect(files.filter((path) => path.startsWith('docs/images/') && !linked.has(path))).toEqual([]);
  });
});
