// @module-tag long
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerForm } from '#src/panel-port/index.ts';
import { npm } from '#test/harness/npm.ts';
import { type NpmRegistry, npmRegistry } from '#test/harness/npm-registry.ts';
import { tempFolder } from '#test/temp-folder.ts';
import manifest from '../../package.json' with { type: 'json' };
import { drawPage, showsPages } from './kit/drawn-page.ts';
import { openTab, questionOn } from './kit/page-tab.ts';
import { root, served } from './kit/parley-serve.ts';
import { openSession } from './kit/wire.ts';

const run = promisify(execFile);
const PNPM = 'pnpm@12.4.2';

/** A tool of a project: it shares effection and zod with the package. */
const TOOL = `
import { sleep } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const pickRow = createMcpTool('pick_row').description('Asks for a row.').parameters(z.object({}))
  .requires({ elicitation: true }).elicits({ row: z.object({ row: z.int() }) })
  .execute(function* (_, ctx) {
    yield* sleep(0);
    return (yield* ctx.elicit.strict('row', { message: 'Which row?' })).row;
  });
`;

const SERVER = `
import { createServer } from 'node:http';
import { createMcpServer } from 'parley-mcp/server';
import { pickRow } from './tool.ts';
const server = createMcpServer({ name: 'installed', version: '1.0.0', tools: [pickRow] });
let origin: string | undefined;
const handler = server.createHandler({ publish: { at: () => origin } });
const http = createServer((req, res) => { if (!handler.page(req, res)) handler(req, res); });
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = 'http://127.0.0.1:' + address.port;
  console.log(JSON.stringify({ url: origin + '/mcp' }));
});
`;

let folder = '';
let tarball = '';
beforeAll(async () => {
  folder = tempFolder();
  tarball = join(folder, 'parley-mcp.tgz');
  await run(process.execPath, [join(root, 'build', 'release', 'package.ts'), '--npm', '--out', tarball]);
});

const QUIET = ['--ignore-scripts', '--prefer-offline'];

/** What `npm install parley-mcp zod` brings: the newest of what it asks for. */
async function byNpm(project: string): Promise<void> {
  const flags = [...QUIET, '--no-audit', '--no-fund'];
  await npm('Installing', ['install', ...flags, tarball, 'zod', '@types/node@22'], project);
}

/** Nothing that a project does not name is in its reach, and the oldest of what the package asks for. */
async function byPnpm(project: string): Promise<void> {
  const oldest = Object.entries({
    ...manifest.peerDependencies,
    '@types/node': '^22.0.0',
    '@types/react': '^18.3.0',
  })
    .filter(([name]) => !['pg', '@opentelemetry/api', 'esbuild'].includes(name))
    .map(([name, range]) => `${name}@${/[\d.]+/.exec(range)?.[0]}`);
  const store = join(root, 'node_modules', '.cache', 'pnpm');
  const pnpm = ['exec', '--yes', '--prefer-offline', `--package=${PNPM}`, '--', 'pnpm', 'add'];
  await npm('Installing', [...pnpm, ...QUIET, '--store-dir', store, tarball, ...oldest], project);
}

/** What the pages import of the package and of what it needs, by where it comes from. */
async function imports(): Promise<Map<string, Set<string>>> {
  const pages = (await readdir(join(root, 'docs')))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const found = new Map<string, Set<string>>();
  for (const page of ['README.md', ...pages]) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, names = '', from = ''] of text.matchAll(
      /^import (?!type\b)(.*) from '((?:parley-mcp|effection|zod|react)[^']*)';/gm,
    )) {
      const named = /^\{(.*)\}$/.exec(names)?.[1]?.split(',') ?? [];
      const values = named.map((name) => name.trim()).filter((name) => !name.startsWith('type '));
      found.set(from, new Set([...(found.get(from) ?? []), ...values]));
    }
  }
  return found;
}

/** What this process has, proxies and the like, but another home, and nothing of the npm that runs this. */
function environment(home: string): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(npm_|NODE_OPTIONS$)/.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(own), HOME: home };
}

/** Files below a folder, bytes. */
async function sizeOf(top: string): Promise<number> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('npx parley-mcp, from a registry on this machine and an empty cache', () => {
  let registry: NpmRegistry;
  beforeAll(async () => {
    registry = await npmRegistry(manifest.name);
    const project = join(folder, 'publishing');
    await mkdir(project);
    await writeFile(join(project, '.npmrc'), registry.settings);
    await npm('Publishing', ['publish', tarball], project);
  });
  afterAll(() => registry.close());

  it('brings at most 10 packages and 15 MB, and asks the person of a client with forms', async () => {
    const home = join(folder, 'home');
    await mkdir(home);
    await writeFile(join(home, '.npmrc'), registry.settings);
    const cache = join(home, 'cache');
    const began = performance.now();
    const transport = new StdioClientTransport({
      command: 'npm',
      args: ['exec', '--yes', '--cache', cache, `${manifest.name}@${manifest.version}`],
      cwd: home,
      env: environment(home),
    });
    const client = new Client({ name: 'someone', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { color: 'red' } }));
    await client.connect(transport);
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_user');
      const listed = performance.now() - began;
      const fields = [{ name: 'color', label: 'Color' }];
      const called = await client.callTool({ name: 'ask_user', arguments: { message: 'Which?', fields } });
      expect(called.structuredContent).toMatchObject({ status: 'answered', answers: { color: 'red' } });
      const [ours = ''] = await readdir(join(cache, '_npx'));
      const installed = join(cache, '_npx', ours, 'node_modules');
      const packages = (await readdir(installed)).filter((name) => !name.startsWith('.'));
      const bytes = await sizeOf(installed);
      console.log(
        `npx: ${packages.length} packages (${packages.join(', ')}), ${(bytes / 1e6).toFixed(1)} MB, ${(listed / 1000).toFixed(1)} s to tools/list`,
      );
      expect(packages.length).toBeLessThanOrEqual(10);
      expect(bytes).toBeLessThanOrEqual(15e6);
    } finally {
      await client.close();
    }
  });

  it('is not what lies in the folder of others where it is started, as setup writes it', async () => {
    const home = join(folder, 'home');
    const others = join(folder, 'others');
    const bin = join(others, 'node_modules', '.bin');
    const theirs = join(others, 'node_modules', manifest.name);
    for (const made of [bin, theirs]) await mkdir(made, { recursive: true });
    await writeFile(join(others, '.npmrc'), 'registry=http://127.0.0.1:1/');
    await writeFile(join(others, 'package.json'), '{}');
    const about = { name: manifest.name, version: manifest.version, bin: { [manifest.name]: 'theirs.js' } };
    await writeFile(join(theirs, 'package.json'), JSON.stringify(about));
    await writeFile(join(theirs, 'theirs.js'), '#!/usr/bin/env node\nconsole.log("theirs")', { mode: 0o755 });
    await symlink(join(theirs, 'theirs.js'), join(bin, manifest.name));
    const npx = async (...args: readonly string[]) => {
      const all = [
        'exec',
        '--yes',
        '--cache',
        join(home, 'cache'),
        ...args,
        manifest.name,
        '--',
        '--version',
      ];
      return (await run('npm', all, { cwd: others, env: environment(home) })).stdout.trim();
    };
    expect(await npx()).toBe('theirs');
    expect(await npx('--prefix', home)).toBe(manifest.version);
  });

  it('fetches what builds a folder of tools when there is one, once, and says where it cannot', async () => {
    const home = join(folder, 'home');
    await writeFile(join(home, 'tool.ts'), TOOL);
    const [ours = ''] = await readdir(join(home, 'cache', '_npx'));
    const installed = join(home, 'cache', '_npx', ours, 'node_modules', manifest.name);
    const check = (env = {}) =>
      run(process.execPath, [join(installed, manifest.bin['parley-mcp']), 'check', 'tool.ts'], {
        cwd: home,
        env: { ...environment(home), ...env },
      }).catch((error: { stdout: string; stderr: string }) => error);
    expect((await check({ PATH: '' })).stderr).toContain('npm install --save-dev esbuild');
    const first = await check();
    expect(first.stderr).toContain('fetching esbuild-wasm');
    expect(first.stdout).toBe('1 tool: nothing wrong with them\n');
    expect(await check({ PATH: '' })).toMatchObject({ stdout: first.stdout, stderr: '' });
  });
});

describe.each([
  { by: 'npm', install: byNpm, react: false },
  { by: 'pnpm', install: byPnpm, react: true },
])('the package, installed by $by', ({ by, install, react }) => {
  let project = '';
  const node = async (...args: readonly string[]) => {
    // What runs this test may be set to run tests in its children as well.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    return await run(process.execPath, [...args], { cwd: project, env }).catch(
      (failed: { stdout: string; stderr: string }) => failed,
    );
  };
  const cli = () => join(project, 'node_modules', 'parley-mcp', manifest.bin['parley-mcp']);

  beforeAll(async () => {
    project = join(folder, by);
    await mkdir(project);
    const files = {
      'package.json': '{ "name": "shop", "private": true, "type": "module" }',
      'tool.ts': TOOL,
      'server.ts': SERVER,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    await install(project);
  });

  it('loads at every entry, with every name that the pages import', async () => {
    const shown = await imports();
    for (const entry of Object.keys(manifest.exports))
      if (entry !== './package.json') {
        const name = `parley-mcp${entry.slice(1)}`;
        shown.set(name, shown.get(name) ?? new Set());
      }
    // React is for who makes views.
    if (!react) shown.delete('parley-mcp/webview');
    const wanted = [...shown].map(([from, names]) => [from, [...names]]);
    await writeFile(
      join(project, 'load.mjs'),
      `
for (const [from, names] of ${JSON.stringify(wanted)}) {
  const entry = await import(from);
  for (const name of names) if (!(name in entry)) console.log(from, name);
}
console.log('loaded');`,
    );
    expect(await node('load.mjs')).toEqual({ stdout: 'loaded\n', stderr: '' });
  });

  it('has declarations that a strict compiler takes', async () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--types', 'node'];
    const resolution = ['--module', 'nodenext', '--allowImportingTsExtensions'];
    expect(await node(compiler, ...flags, ...resolution, 'server.ts')).toEqual({ stdout: '', stderr: '' });
  });

  it('brings a command line that bundles a tool, and stands for what git ignores in `.parley`', async () => {
    const { stdout } = await node(cli(), 'manifest', 'tool.ts');
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'pick_row' }] });
    await node(cli(), 'new', 'greet', '.', '--template', 'view');
    const home = join(project, '.parley');
    for (const ignored of ['.generated', 'node_modules']) await rm(join(home, ignored), { recursive: true });
    const tested = await node(
      ...['--import', 'parley-mcp/testing', '--test', '--test-reporter=tap', '.parley/tests/**/*.test.ts'],
    );
    expect(tested.stdout).toMatch(/^# pass 2$/m);
  });

  it.each([
    ['a server of the library', () => [join(project, 'server.ts')]],
    ['the command line', () => [cli(), 'serve', '--http', '--json', '--no-token', join(project, 'tool.ts')]],
  ])('asks in an MCP App and on a page that a link leads to: %s', async (_, args) => {
    const server = await served(args());
    const client = new Client(
      { name: randomUUID(), version: '1' },
      { capabilities: { extensions: showsPages } },
    );
    try {
      await client.connect(new StreamableHTTPClientTransport(server.url));
      await client.listTools();
      const call = client.callTool({ name: 'pick_row', arguments: {} });
      const app = await drawPage(client, 'pick_row');
      expect(app.html).toContain('<div id="root"');
      const { id, attempt } = await app.question({});
      await app.send(answerForm({ questionId: id, attempt, content: { row: 7 } }));
      expect((await call).content).toEqual([{ type: 'text', text: '7' }]);

      const session = await openSession(server.url, { elicitation: { url: {} } });
      const reply = await session.request(1, 'tools/call', { name: 'pick_row', arguments: {} });
      const asked = await reply.until(({ method }) => method === 'elicitation/create');
      const tab = openTab();
      await tab.post(asked.params.url);
      await session.answer(asked.id ?? 0, { action: 'accept' });
      const question = await questionOn(tab, asked.params.url);
      await tab.say(
        asked.params.url,
        answerForm({ questionId: question.id, attempt: 1, content: { row: 4 } }),
      );
      const { result } = await reply.until((one) => one.result !== undefined);
      expect(result.content).toEqual([{ type: 'text', text: '4' }]);
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
