import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtCli, repoRoot } from '#test/harness/paths.ts';

/*
 * `parley-mcp` as a client starts it: no arguments, in whatever folder the client is in.
 */

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-alone-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function connected(capabilities = {}, answer?: (message: string) => Record<string, unknown>) {
  const client = new Client({ name: 'someone', version: '1' }, { capabilities });
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: 'accept',
      content: answer(params.message) as Record<string, string>,
    }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    stderr: 'pipe',
  });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Puts what runs where somebody is careless into the folder, and says whether something of it ran. */
async function hostile(): Promise<() => Promise<boolean>> {
  const ran = join(folder, 'ran');
  const evil = `require('fs').writeFileSync(${JSON.stringify(ran)}, '');`;
  const server = { command: process.execPath, args: ['-e', evil] };
  const task = { type: 'shell', command: `touch ${ran}`, runOptions: { runOn: 'folderOpen' } };
  const files = {
    '.parley/tools/evil.ts': evil,
    '.parley/tools/evil/plugin.ts': evil,
    '.mcp.json': JSON.stringify({ mcpServers: { evil: server } }),
    '.vscode/mcp.json': JSON.stringify({ servers: { evil: server } }),
    '.vscode/tasks.json': JSON.stringify({ tasks: [task] }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { plugins: [{ name: './index.js' }] } }),
    'package.json': JSON.stringify({ scripts: { preinstall: `touch ${ran}` }, main: 'index.js' }),
    'index.js': evil,
    ...Object.fromEntries(
      ['esbuild', 'esbuild-wasm', 'zod', 'effection', 'parley-mcp', 'pg', 'react'].flatMap((name) => [
        [`node_modules/${name}/index.js`, evil],
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '9.9.9', main: 'index.js' })],
      ]),
    ),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return async () => (await readdir(folder)).includes('ran');
}

describe('in a folder of others', () => {
  it('parley-mcp alone runs nothing of it', async () => {
    const ran = await hostile();
    await using one = await connected({ elicitation: {} }, () => ({}));
    expect((await one.client.listTools()).tools).toHaveLength(4);
    await one.client.callTool({ name: 'show', arguments: { title: 'Hi', items: [{ text: 'there' }] } });
    expect(await ran()).toBe(false);
  });

  it.each([
    ['doctor', []],
    ['new', ['greet', '.']],
    ['check', ['TOOL']],
    ['manifest', ['TOOL']],
    ['serve', ['TOOL']],
    ['pack', ['TOOL', '--out', 'OUT']],
    ['setup', ['claude']],
  ])('parley-mcp %s %j runs nothing that it does not name', async (command, args) => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'parley-mine-'));
    const ran = await hostile();
    try {
      const tool = join(elsewhere, 'mine.ts');
      await cp(join(repoRoot, 'examples', 'workspace', '.parley', 'tools', 'slow-count.ts'), tool);
      const given = args.map((arg) => ({ TOOL: tool, OUT: join(elsewhere, 'out.mjs') })[arg] ?? arg);
      const child = spawn(process.execPath, [builtCli, command, ...given], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: elsewhere, XDG_CACHE_HOME: join(elsewhere, 'cache') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect([await ran(), failed]).toEqual([false, '']);
      if (!/doctor|serve/.test(command)) expect(said).not.toBe('');
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});

describe('parley-mcp alone', () => {
  it('asks the person of a client with forms, by four tools with short texts', async () => {
    await using one = await connected({ elicitation: {} }, (message) =>
      message.startsWith('Sure?') ? { apply: ['2'] } : { color: 'red' },
    );
    const { tools } = await one.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['approve', 'ask_user', 'review_plan', 'show']);
    for (const { description, inputSchema } of tools)
      expect(JSON.stringify({ description, inputSchema }).length).toBeLessThan(3_300);
    const fields = [{ name: 'color', label: 'Color' }];
    const asked = await one.client.callTool({ name: 'ask_user', arguments: { message: 'Which?', fields } });
    expect(asked.structuredContent).toEqual({ status: 'answered', answers: { color: 'red' } });
    const changes = [{ label: 'a' }, { label: 'b' }];
    const approved = await one.client.callTool({ name: 'approve', arguments: { message: 'Sure?', changes } });
    expect(approved.structuredContent).toEqual({
      status: 'approved',
      approved: [{ change: 2, label: 'b' }],
      refused: ['a'],
    });
  });

  it('offers what needs no answer to a client without forms', async () => {
    await using one = await connected();
    const { content } = await one.client.callTool({
      name: 'show',
      arguments: { title: 'Hi', items: [{ text: 'there' }] },
    });
    expect(content).toContainEqual({
      type: 'text',
      text: '**Hi**\n\nthere',
      annotations: { audience: ['user'] },
    });
  });

  it.runIf(process.platform === 'linux')('says at a terminal how it is set up, and ends', async () => {
    const line = `${process.execPath} ${builtCli}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await text(child.stdout)).toContain('npx -y parley-mcp setup claude');
  });

  it('ends with its input, and by a signal, with nothing on stderr', async () => {
    for (const end of ['input', 'SIGTERM'] as const) {
      const child = spawn(process.execPath, [builtCli], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
      const [stderr, ended] = [text(child.stderr), once(child, 'exit')];
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      await once(child.stdout, 'data');
      if (end === 'input') child.stdin.end();
      else child.kill(end);
      expect([await ended, await stderr]).toEqual([[0, null], '']);
    }
  });
});
