import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { npm } from '#test/harness/npm.ts';
import manifest from '../../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

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
  /^examples\/(chat-server|team|workspace)\/README\.md$/,
  /^examples\/team\/(Containerfile|compose\.yaml|haproxy\.cfg|tools\/greet\.ts)$/,
  /^examples\/chat-server\/[\w-]+\.ts$/,
  /^examples\/workspace\/\.parley\/tools\/[\w/.-]+\.(tsx?|css)$/,
  /^dist\/ThirdPartyNotices\.txt$/,
  // The command line, its workers and their chunks. npm always takes along what "main" names.
  /^dist\/(cli|extension|tool-worker|tool-debug|code-worker)\.js$/,
  /^dist\/quickjs\.wasm$/,
  /^dist\/[\w-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/shared\/zod\.js$/,
  // For `parley new`.
  /^dist\/author-kit\.json$/,
  /^dist\/lib\/[\w-]+\.js$/,
  /^dist\/types\/(src|webview)\/[\w/-]+\.d\.ts$/,
];

/** A project with nothing but the published package and what it says it depends on. */
let project = '';
let published = '';

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'parley-published-'));
  published = join(project, 'node_modules', 'parley-mcp');
  await npm('Packing', ['pack', '--ignore-scripts', '--pack-destination', project], root);
  await mkdir(published, { recursive: true });
  const tarball = join(project, `parley-mcp-${manifest.version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', published, '--strip-components=1']);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', '@types/react']) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'junction');
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function publishedFiles(): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob('**/{*,.parley/**}', { cwd: published })) {
    if ((await stat(join(published, path))).isFile()) paths.push(path.replaceAll('\\', '/'));
  }
  return paths;
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeFile(join(project, path), text);
}

describe('the npm package', () => {
  test('holds what is published, and nothing else', async () => {
    const files = await publishedFiles();
    expect(files.filter((path) => !GOLDEN.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(GOLDEN.filter((pattern) => !files.some((path) => pattern.test(path)))).toEqual([]);
  });

  test('has pages whose links and pictures lead to what it holds, and no other pictures', async () => {
    const files = await publishedFiles();
    const linked = new Set<string>();
    // These two speak of the source.
    const pages = files.filter((path) => /^(?!docs\/architecture|CONTRIBUTING).*\.md$/.test(path));
    for (const page of pages) {
      const text = await readFile(join(published, page), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)) {
        linked.add(posix.join(posix.dirname(page), target));
      }
    }
    const there = (target: string) => files.some((path) => path === target || path.startsWith(`${target}/`));
    expect([...linked].filter((target) => !there(target))).toEqual([]);
    expect(files.filter((path) => path.startsWith('docs/images/') && !linked.has(path))).toEqual([]);
  });

  test('needs nothing but its dependencies: every entry loads', async () => {
    const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json');
    const imports = entries.map((entry) => `await import('parley-mcp${entry.slice(1)}');\n`);
    await write({ 'load.mjs': `${imports.join('')}console.log('loaded');\n` });
    const { stdout } = await run(process.execPath, ['load.mjs'], { cwd: project });
    expect(stdout).toBe('loaded\n');
  });

  test('has declarations that a strict compiler takes', async () => {
    await write({
      'use.ts': `
        import { createMcpTool } from 'parley-mcp';
        import { createMcpServer } from 'parley-mcp/server';
        import * as z from 'zod';
        const tool = createMcpTool('greet').description('Greets.').parameters(z.object({ name: z.string() }))
          .elicits({}).execute(function* ({ name }) { return name; });
        export const server = createMcpServer({ name: 'greeter', version: '1.0.0', tools: [tool] });
      `,
    });
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--types', 'node'];
    const resolution = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
    const args = [compiler, ...flags, ...resolution, '--jsx', 'react-jsx', 'use.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch((failed) => failed);
    expect(stdout).toBe('');
  });

  test('brings the command line: it bundles and describes a tool file', async () => {
    await write({
      'greet.ts': `
        import { createMcpTool } from 'parley-mcp';
        import * as z from 'zod';
        export const greet = createMcpTool('greet').description('Greets.').parameters(z.object({ name: z.string() }))
          .elicits({}).execute(function* ({ name }) { return name; });
      `,
    });
    const cli = join(published, manifest.bin.parley);
    const { stdout } = await run(process.execPath, [cli, 'manifest', 'greet.ts'], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'greet' }] });
  });

  test('stands for what git ignores in `.parley`: tests of tools run in a fresh clone', async () => {
    const cli = join(published, manifest.bin.parley);
    await run(process.execPath, [cli, 'new', 'greet', '.'], { cwd: project });
    const home = join(project, '.parley');
    for (const ignored of ['.generated', 'node_modules']) await rm(join(home, ignored), { recursive: true });
    // What runs this test may be set to run tests in its children as well.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const args = ['--test', '--test-reporter=tap', 'tests/**/*.test.ts'];
    const { stdout } = await run(process.execPath, args, { cwd: home, env });
    expect(stdout).toMatch(/^# pass 2$/m);
  });
});
