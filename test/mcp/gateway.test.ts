import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, client2026, stdio2025 } from './kit/clients.ts';
import { bookFlight, cli } from './kit/parley-serve.ts';
import { running } from './kit/running.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const node = process.execPath;

const folder = tempFolder();

async function file(content: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const servers = {
  everything: { command: node, args: [everything] },
  travel: { command: node, args: [cli, 'serve', bookFlight] },
};

describe('parley serve --servers', () => {
  it('that is a server of itself starts itself a few times and says why not more often', {
    tags: 'long',
  }, async () => {
    const path = join(folder, 'itself.json');
    await writeFile(
      path,
      JSON.stringify({
        servers: { me: { command: node, args: [cli, 'serve', '--stdio', '--servers', path] } },
      }),
    );
    const client = client2026();
    // As if another had started it, and yet another that one: one more may be started.
    const transport = stdio2025(['--servers', path], { ...getDefaultEnvironment(), PARLEY_NESTING: '2' });
    let said = '';
    transport.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    await client.connect(transport as never);
    try {
      await expect.poll(() => said).toContain('servers have started each other');
      expect((await running('itself.json')).length).toBe(2);
      expect((await client.listTools()).tools).toEqual([]);
    } finally {
      await client.close();
    }
    await expect.poll(() => running('itself.json')).toEqual([]);
  });

  it('lets a client of 2026-07-28 use a server of 2025-11-25: its tools, questions, samplings and reports', async () => {
    const client = client2026();
    client.registerCapabilities({ elicitation: { form: {} }, sampling: {} });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return {
        action: 'accept',
        content: params.message.includes('model') ? {} : { name: 'Ada', check: true },
      };
    });
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant' as const,
      model: 'm',
      content: { type: 'text' as const, text: 'Lisbon' },
    }));
    const path = await file({ servers: { everything: servers.everything } });
    await client.connect(stdio2025(['--servers', path]) as never);
    try {
      expect(client.getProtocolEra()).toBe('modern');
      const text = async (name: string, args: Record<string, unknown>) =>
        JSON.stringify((await client.callTool({ name: `everything__${name}`, arguments: args })).content);
      // A server that takes its time is not waited for.
      const listed = async () =>
        (await client.listTools()).tools.find(({ name }) => name === 'everything__get-structured-content');
      await expect.poll(listed).toMatchObject({ inputSchema: { required: ['location'] } });
      expect(await text('get-sum', { a: 1, b: 4 })).toContain('5');
      const weather = await client.callTool({
        name: 'everything__get-structured-content',
        arguments: { location: 'Chicago' },
      });
      expect(weather.structuredContent).toMatchObject({ conditions: expect.any(String) });
      expect(await text('trigger-elicitation-request', {})).toContain('Ada');
      expect(await text('trigger-sampling-request', { prompt: 'Where to?' })).toContain('Lisbon');
      expect(asked.some((message) => message.includes('Where to?'))).toBe(true);
      const failed = await client.callTool({ name: 'everything__get-sum', arguments: { a: 'x' } });
      expect(failed).toMatchObject({ isError: true });
      const progress: number[] = [];
      await client.callTool(
        { name: 'everything__trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
        { onprogress: (one) => progress.push(one.progress) },
      );
      // The SDK drops a report that comes in one piece with the result; on a slow machine several do.
      expect(progress.length).toBeGreaterThan(0);
      expect(progress).toEqual([1, 2, 3, 4].slice(0, progress.length));
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
      expect(contents).toHaveLength(1);
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain(
        'everything__simple-prompt',
      );
    } finally {
      await client.close();
    }
  });

  it('lets a client of 2025-11-25 use a server that is spoken to in 2026-07-28, and has its own tools beside', async () => {
    const client = client2025({ elicitation: true, sampling: true });
    const path = await file({ mcpServers: { travel: servers.travel } });
    await client.connect(stdio2025([bookFlight, '--servers', path]));
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['book_flight', 'travel__book_flight']));
      const params = { from: 'AMS', destination: 'LIS' };
      const booked = await client.callTool({ name: 'travel__book_flight', arguments: params });
      expect(booked).not.toMatchObject({ isError: true });
      expect(JSON.stringify(booked)).toContain('ticketNumber');
    } finally {
      await client.close();
    }
  });

  it('leaves no process of a server behind when it is killed, or when its client goes', {
    tags: 'long',
  }, async () => {
    const mark = `parley-left-${Math.random()}`;
    const path = await file({ servers: { left: { command: node, args: [everything, 'stdio', mark] } } });
    for (const end of [
      (child: ReturnType<typeof spawn>) => child.kill('SIGKILL'),
      (child: ReturnType<typeof spawn>) => child.stdin?.end(),
    ]) {
      const child = spawn(node, [cli, 'serve', '--servers', path], { stdio: ['pipe', 'pipe', 'pipe'] });
      const said = createInterface({ input: child.stderr });
      await once(said, 'line');
      expect(await running(mark)).not.toEqual([]);
      end(child);
      await once(child, 'exit');
      await vi.waitFor(async () => expect(await running(mark)).toEqual([]), { timeout: 20_000 });
    }
  });

  it('passes on neither pictures nor pages that a server gives its tools: here they would pass for ours', async () => {
    const branded = join(import.meta.dirname, 'kit/branded.ts');
    const path = await file({ servers: { brand: { command: node, args: [cli, 'serve', branded] } } });
    const client = client2025();
    await client.connect(stdio2025(['--servers', path, branded]));
    try {
      await vi.waitFor(
        async () => {
          const { tools } = await client.listTools();
          const [theirs, ours] = ['brand__branded', 'branded'].map((name) =>
            tools.find((tool) => tool.name === name),
          );
          expect(ours).toMatchObject({ icons: [{}], _meta: { 'com.example/shelf': 3 } });
          expect(theirs).toMatchObject({ description: 'Looks like somebody.' });
          expect(theirs).not.toHaveProperty('icons');
          // Ours, and what it says of itself is not in it.
          expect(theirs?._meta).toEqual({ 'parley/through': 1 });
        },
        { timeout: 60_000 },
      );
    } finally {
      await client.close();
    }
  });

  it('refuses a file that it cannot use, and goes on without a server that does not start', {
    tags: 'long',
  }, async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      ['{ "servers": ', 'line 1 is no JSON'],
      [{}, "neither 'servers' nor 'mcpServers'"],
      [{ servers: { a: { command: 'x', env: { KEY: variable('input:key') } } } }, 'only in the editor'],
      [{ servers: { a: { command: 'x', args: [variable('nobody')] } } }, 'is not available here'],
      [{ servers: { a: { command: 'x', envFile: 'none.env' } } }, 'cannot be read'],
      [{ servers: { 'a/b': { command: 'x' } } }, 'cannot name a server'],
      [{ servers: { a: { type: 'sse', url: 'http://x' } } }, 'Streamable HTTP'],
      [{ servers: { a: {} } }, 'neither a command nor a url'],
      [{ servers: { a: { command: 5 } } }, "the server 'a': command: must be text, not a number"],
    ];
    for (const [content, sentence] of cases) {
      const { code, stderr } = await serve(await file(content));
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    }
    const none = await serve(await file({ servers: { gone: { command: 'parley-no-such-command' } } }));
    expect(none).toEqual({ code: 0, stderr: expect.stringContaining("the server 'gone' is not available") });
  });

  it('says which server has started and not said a word, and goes on without it', async () => {
    const mute = { command: node, args: ['-e', 'process.stdin.resume()'] };
    const { code, stderr } = await serve(await file({ servers: { mute } }));
    expect([code, stderr]).toEqual([0, expect.stringContaining("the server 'mute' has not answered yet")]);
  });

  it('reads a file that begins with a mark, as some editors write it', async () => {
    const text = JSON.stringify({ servers: { gone: { command: 'parley-no-such-command' } } });
    const { code, stderr } = await serve(await file(`\ufeff${text}`));
    expect([code, stderr]).toEqual([0, expect.stringContaining("the server 'gone' is not available")]);
  });
});

const variable = (name: string) => ['$', '{', name, '}'].join('');

/** Serves until its input ends, which is at once. */
async function serve(path: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(node, [cli, 'serve', '--servers', path], { stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    if (/is not available|has not answered/.test(stderr)) child.stdin.end();
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stderr };
}
