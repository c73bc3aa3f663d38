import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { ownFolder } from './kit/own-folder.ts';
import { root } from './kit/parley-serve.ts';
import { accept, leg, type Message } from './kit/wire.ts';

/*
 * Handlers in servers of other people, in processes of their own. What they do in one process is in `test/unit/inline`.
 */
const own = ownFolder();
const program = join(root, 'test/mcp/kit/inline-server.ts');

async function start(kind: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, kind, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const over = new Promise<void>((ended) => child.once('exit', () => ended()));
  const kill = async () => {
    child.kill('SIGKILL');
    await over;
  };
  for await (const line of createInterface({ input: child.stdout }))
    return own.ending({ url: new URL((JSON.parse(line) as { url: string }).url), kill, close: kill });
  throw new Error('the server said nothing');
}

const call = { name: 'deploy', arguments: { branch: 'm' } };

test('a call goes on from its book when each leg is another process, killed after it', async () => {
  const answers = [undefined, { version: '1.2' }, { ok: true }];
  let last: Message | undefined;
  for (const content of answers) {
    const server = await start('v2', own.path, own.log);
    const [key = ''] = Object.keys(last?.result?.inputRequests ?? {});
    last = await leg(server, call, last, content && { [key]: accept(content) });
    await server.kill();
  }
  expect(last?.result).toMatchObject({ content: [{ text: 'm 1.2 true' }] });
  expect(await own.effects()).toEqual(['tag 1.2']);
});

test('a step whose process is killed within it is done again, and knows that it is', async () => {
  const one = await start('v2', own.path, own.log, 'hangs in its step');
  const asked = await leg(one, call);
  const [key = ''] = Object.keys(asked.result.inputRequests);
  const said = { [key]: accept({ version: '1.2' }) };
  const hanging = leg(one, call, asked, said).catch(() => 'gone');
  await expect.poll(own.effects).toEqual(['tag 1.2']);
  await one.kill();
  expect(await hanging).toBe('gone');
  const next = await leg(await start('v2', own.path, own.log), call, asked, said);
  expect(Object.values(next.result.inputRequests)).toMatchObject([{ params: { message: 'Announce 1.2?' } }]);
  expect(await own.effects()).toEqual(['tag 1.2', 'tag 1.2 (attempt 2)']);
});

test.each([
  ['ends otherwise', { content: [{ text: 'm 1.2 true!' }] }],
  ['asks otherwise', { isError: true, content: [{ text: expect.stringContaining('Which version?') }] }],
])('a call whose code %s in the next version is that version’s, or is refused', async (code, result) => {
  const before = await start('v2', own.path, own.log);
  const one = await leg(before, call);
  const [first = ''] = Object.keys(one.result.inputRequests);
  const two = await leg(before, call, one, { [first]: accept({ version: '1.2' }) });
  const [second = ''] = Object.keys(two.result.inputRequests);
  await before.kill();
  const after = await start('v2', own.path, own.log, code);
  const end = await leg(after, call, two, { [second]: accept({ ok: true }) });
  expect(end.result).toMatchObject(result);
  expect(await own.effects()).toEqual(['tag 1.2']);
});

test('an old state brought to two replicas five times at once has its step done once', async () => {
  const replicas = [await start('v2', own.path, own.log), await start('v2', own.path, own.log)];
  const [here = replicas[0], there = here] = replicas;
  if (!here || !there) throw new Error('no replicas');
  const one = await leg(here, call);
  const [key = ''] = Object.keys(one.result.inputRequests);
  const said = { [key]: accept({ version: '7.0' }) };
  const all = await Promise.all([here, there, here, there, here].map((at) => leg(at, call, one, said)));
  expect(await own.effects()).toEqual(['tag 7.0']);
  const states = all.map(({ result }) => Object.values(result.inputRequests ?? {}));
  expect(states).toEqual(Array.from({ length: 5 }, () => states[0]));
});

test('in fastmcp it asks within the request, and again what was answered wrong', async () => {
  const { url } = await start('fastmcp');
  const client = new Client1({ name: 'c', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const say = [{ version: 'soon' }, { version: '2.0' }, { ok: false }];
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: say.shift() ?? {} }));
  await client.connect(new Http1(url));
  expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'm 2.0 false' }] });
  await client.close();
});

test('over HTTP of 2025 without a session it fails at the question, and does not hang', async () => {
  const { url } = await start('v2');
  const client = new Client1({ name: 'c', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  await client.connect(new Http1(url));
  expect(await client.callTool(call)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('elicitation') }],
  });
  await client.close();
});

test.each([['legacy' as const], [{ pin: '2026-07-28' }]])('on stdio it asks a client of %j', async (mode) => {
  const client = new Client2(
    { name: 'c', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  const say = [{ version: '2.0' }, { ok: true }];
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: say.shift() ?? {} }));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'stdio'] }));
  expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'm 2.0 true' }] });
  await client.close();
});
