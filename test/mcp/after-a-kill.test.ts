import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { run } from 'effection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PersonCalls } from '#src/calls/person-calls.ts';
import type { SqliteStore } from '#src/stores/index.ts';
import { openMachineInbox } from '#src/stores/machine-inbox.ts';
import { cli } from './kit/parley-serve.ts';

let above: string;
let store: SqliteStore;
const open: Client[] = [];
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'parley-killed-'));
  store = openMachineInbox(join(above, 'inbox'), () => {});
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await store.close();
  await rm(above, { recursive: true, force: true });
});

/** How long a person takes to read a question, milliseconds. */
const READING = 300;

type Answer = (params: ElicitRequest['params']) => ElicitResult | undefined;

interface Agent {
  readonly pid: number;
  readonly client: Client;
  readonly asked: string[];
  call(args?: object): Promise<string>;
}

/** An agent with a server of its own; what it answers nothing to stays open. */
async function agent(answer: Answer, { name = 'claude-code', cwd = process.cwd() } = {}): Promise<Agent> {
  const client = new Client({ name, version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    // What comes at once is not taken for a person's.
    if (params.message.includes('interrupted')) await delay(READING);
    return answer(params) ?? new Promise<never>(() => {});
  });
  const args = [cli, 'serve', join(import.meta.dirname, 'kit/durable-tools.ts')];
  const env = { ...(process.env as Record<string, string>), PARLEY_INBOX: join(above, 'inbox') };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env,
    cwd,
    stderr: 'inherit',
  });
  await client.connect(transport);
  open.push(client);
  return {
    ...{ client, asked, pid: transport.pid ?? 0 },
    async call(more = {}) {
      const params = { name: 'release', arguments: { log: join(above, 'log'), ...more } };
      const { content } = await client.callTool(params, undefined, { timeout: 100_000 });
      return JSON.stringify(content);
    },
  };
}

const log = async () => (await readFile(join(above, 'log'), 'utf8').catch(() => '')).match(/^\w+/gm) ?? [];
const accept = (content: Record<string, string | boolean>): ElicitResult => ({ action: 'accept', content });

const listed = () => run(() => new PersonCalls(store, 'a window').list());
const waiting = async () =>
  (await listed()).flatMap(({ asks }) => asks.map(({ request }) => request.message));

/** Answers the first question of a call, and kills its server at the second. */
async function killed(how: (one: Agent) => Promise<void> = kill, name?: string): Promise<void> {
  const one = await agent(
    ({ message }) => (message === 'Which version?' ? accept({ version: '1.2' }) : undefined),
    { ...(name && { name }) },
  );
  const call = one.call().catch(() => 'gone');
  await expect.poll(waiting).toEqual(['Publish 1.2?']);
  await how(one);
  expect(await call).toBe('gone');
}

const kill = async ({ pid }: Agent) => void process.kill(pid, 'SIGKILL');
const terminate = async ({ pid }: Agent) => void process.kill(pid, 'SIGTERM');
const ends = async ({ client }: Agent) => await client.close();

interface Offer {
  readonly requestedSchema: {
    readonly properties: {
      readonly choice: { readonly oneOf: readonly { readonly const: string; readonly title: string }[] };
    };
  };
}

/** Answers the offer, and then as ever. */
const offered =
  (choice: RegExp | 'decline' | 'cancel'): Answer =>
  ({ message, ...params }) => {
    if (message === 'Which version?') return accept({ version: '2.0' });
    if (message.startsWith('Publish')) return accept({ sure: true });
    if (typeof choice === 'string') return { action: choice };
    const { choice: field } = (params as unknown as Offer).requestedSchema.properties;
    return accept({ choice: field.oneOf.find(({ title }) => choice.test(title))?.const ?? '' });
  };

describe('a call whose server was killed between two answers', { tags: 'long' }, () => {
  it.each([
    ['was killed', kill],
    ['ended with its agent', ends],
    ['was told to end', terminate],
  ])(
    'whose server %s goes on where it was once the person says so, and does no step twice',
    async (_, how) => {
      await killed(how);
      const next = await agent(offered(/continue/i));
      expect(await next.call()).toContain('released 1.2: true');
      expect(next.asked).toHaveLength(2);
      expect(next.asked[0]).toMatch(/interrupted.*1 answer\b/);
      expect(await log()).toEqual(['read', 'tag', 'publish']);
      // It is over: the next one is a call of its own.
      expect(await next.call()).toContain('released 2.0: true');
      expect(next.asked).toHaveLength(4);
    },
  );

  it.each([
    ['another client', { name: 'codex' }, {}],
    ['other arguments', {}, { log: '/dev/null' }],
    ['another folder', { cwd: tmpdir() }, {}],
  ])('is not offered to %s', async (_, who, args) => {
    await killed();
    const next = await agent(offered(/continue/i), who);
    expect(await next.call(args)).toContain('released 2.0: true');
    expect(next.asked).toEqual(['Which version?', 'Publish 2.0?']);
  });

  it('is listed as interrupted with who asked, until the person stops it there', async () => {
    await killed();
    const [call] = await listed();
    expect(call).toMatchObject({
      isInterrupted: true,
      client: 'claude-code',
      folder: process.cwd(),
      tool: 'release',
    });
    const people = new PersonCalls(store, 'a window');
    await run(() => people.send(call?.name ?? expect.fail(), { id: '1', digest: '', stop: 'no more' }));
    expect(await listed()).toEqual([]);
    const next = await agent(offered(/continue/i));
    expect(await next.call()).toContain('released 2.0: true');
  });

  it('goes on in one of two servers that are told so at once', async () => {
    await killed();
    const two = await Promise.all([agent(offered(/continue/i)), agent(offered(/continue/i))]);
    const results = await Promise.all(two.map((one) => one.call()));
    expect(results.filter((one) => one.includes('released 1.2'))).toHaveLength(1);
    expect(results.filter((one) => one.includes('in another program'))).toHaveLength(1);
    expect(await log()).toEqual(['read', 'tag', 'publish']);
  });
});
