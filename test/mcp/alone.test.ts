import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtCli, repoRoot } from '#test/harness/paths.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { plantHostile } from './kit/hostile-folder.ts';

/*
 * `parley-mcp` as a client starts it: no arguments, in whatever folder the client is in.
 */

const tool = join(repoRoot, 'examples', 'workspace', '.parley', 'tools', 'slow-count.ts');

let folder = '';
beforeEach(() => {
  folder = tempFolder();
});

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

describe('in a folder of others', () => {
  it('parley-mcp alone runs nothing of it', async () => {
    const ran = plantHostile(folder);
    await using one = await connected({ elicitation: {} }, () => ({}));
    expect((await one.client.listTools()).tools).toHaveLength(4);
    await one.client.callTool({ name: 'show', arguments: { title: 'Hi', items: [{ text: 'there' }] } });
    expect(ran()).toEqual([]);
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
    const elsewhere = tempFolder();
    const ran = plantHostile(folder);
    const mine = join(elsewhere, 'mine.ts');
    await cp(tool, mine);
    const given = args.map((arg) => ({ TOOL: mine, OUT: join(elsewhere, 'out.mjs') })[arg] ?? arg);
    const child = spawn(process.execPath, [builtCli, command, ...given], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: elsewhere, XDG_CACHE_HOME: join(elsewhere, 'cache') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect([ran(), failed]).toEqual([[], '']);
    if (!/doctor|serve/.test(command)) expect(said).not.toBe('');
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

  it.runIf(process.platform === 'linux').each([
    ['parley-mcp', '', 'npx -y parley-mcp setup claude'],
    [
      'parley-mcp serve',
      `serve ${tool}`,
      'waiting for an MCP client on stdin, and this is a terminal: press Ctrl+C, then try',
    ],
  ])('%s says at a terminal what it is for, and ends', async (_, args, said) => {
    const line = `${process.execPath} ${builtCli} ${args}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await text(child.stdout)).toContain(said);
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
