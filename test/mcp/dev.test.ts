import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, http2025 } from './kit/clients.ts';
import { cli, type Served, served } from './kit/parley-serve.ts';

const tools = (text: string, ...names: readonly string[]) =>
  names
    .map(
      (name) => `export const ${name} = createMcpTool('${name}').description('x').parameters(z.object({}))
        .elicits({}).execute(function* () { return '${text}'; });`,
    )
    .join('\n')
    .replace(/^/, "import { createMcpTool } from 'parley-mcp';\nimport * as z from 'zod';\n");

let folder: string;
let server: Served | undefined;
beforeEach(async () => {
  folder = tempFolder();
  await mkdir(join(folder, '.parley', 'tools'), { recursive: true });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
});

const write = (name: string, text: string) => writeFile(join(folder, '.parley', 'tools', name), text);

describe('parley dev', () => {
  it('loads tools again while a client is connected, and keeps those of before a mistake', async () => {
    await write('a.ts', tools('one', 'first'));
    server = await served([cli, 'dev', '--json', folder]);
    const { stderr } = server;
    const said = (text: RegExp | string) => expect.poll(stderr, { timeout: 20_000 }).toMatch(text);
    const client = client2025();
    await client.connect(http2025(server));
    const answer = async (name: string) => (await client.callTool({ name, arguments: {} })).content;
    expect(await answer('first')).toEqual([{ type: 'text', text: 'one' }]);
    expect(stderr()).toContain(
      `npx @modelcontextprotocol/inspector --transport http --server-url ${server.url}`,
    );
    await said(/\] first: started\n.*\] first: \w+, \d+ ms/s);

    await write('a.ts', `${tools('two', 'first', 'second')}\nz.string().meta({ titel: 'Text' });\n`);
    await said('loaded again: 2 tools');
    expect(stderr()).toMatch(/a\.ts:\d+:19: warning: 'titel' looks like 'title', and does nothing here/);
    expect(await answer('second')).toEqual([{ type: 'text', text: 'two' }]);

    await write('b.ts', "import './missing.ts';\n");
    await said(/b\.ts:1:8: error: Could not resolve/);
    await said('not loaded again');
    expect(await answer('first')).toEqual([{ type: 'text', text: 'two' }]);
    await write('missing.ts', tools('three', 'third'));
    await said('loaded again: 3 tools');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    await client.close();
  });
});
