import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PersonCall, PersonCalls } from '#src/calls/person-calls.ts';
import type { SqliteStore } from '#src/stores/index.ts';
import { openMachineInbox } from '#src/stores/machine-inbox.ts';
import { bookFlight } from './kit/parley-serve.ts';
import { startTerminalAgent, type TerminalAgent } from './kit/terminal-agent.ts';

let above: string;
let folder: string;
let store: SqliteStore;
let people: PersonCalls;
const agents: TerminalAgent[] = [];
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'parley-inbox-'));
  folder = join(above, 'inbox');
  store = openMachineInbox(folder, () => {});
  people = new PersonCalls(store, 'this test');
});
afterEach(async () => {
  for (const one of agents.splice(0)) await one.kill();
  await store.close();
  await rm(above, { recursive: true, force: true });
});

async function agent(flags: readonly string[] = [], env: NodeJS.ProcessEnv = { PARLEY_INBOX: folder }) {
  const call = { name: 'book_flight', arguments: { from: 'Amsterdam', destination: 'Lisbon' } };
  const made = await startTerminalAgent(bookFlight, call, { flags, env });
  agents.push(made);
  return made;
}

async function waiting(count: number): Promise<readonly PersonCall[]> {
  await expect.poll(async () => (await run(() => people.list())).length).toBe(count);
  return await run(() => people.list());
}

describe('a question that an agent asks in its terminal', () => {
  it('is listed with who asks and where; answered elsewhere, it closes in the terminal', async () => {
    const { say, hears, asked } = await agent();
    const [call] = await waiting(1);
    expect(call).toMatchObject({ client: 'claude-code', tool: 'book_flight', folder: process.cwd() });
    const [ask] = call?.asks ?? [];
    expect(asked.params.message).toContain(ask?.request.message);
    const message = { id: '1', digest: '1', answers: { [`${ask?.wireKey}`]: { action: 'cancel' } } };
    expect(await run(() => people.send(call?.name as PersonCall['name'], message))).toBe('left');
    await hears(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === asked.id,
    );
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
    say({ id: 2, method: 'ping' });
    await hears(({ id }) => id === 2);
  });

  it('is listed no longer once it is answered in the terminal', async () => {
    const { say, hears, asked } = await agent();
    await waiting(1);
    say({ id: asked.id, result: { action: 'cancel' } });
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
  });

  it('is listed no longer once its server was killed, and its inbox is whole', async () => {
    const { child } = await agent();
    await waiting(1);
    child.kill('SIGKILL');
    await waiting(0);
    await agent();
    await waiting(1);
  });

  it('is answered while its server stands still, and that counts when it goes on', async () => {
    const { child, hears } = await agent();
    const [call] = await waiting(1);
    child.kill('SIGSTOP');
    const [ask] = call?.asks ?? [];
    const message = { id: '1', digest: '1', answers: { [`${ask?.wireKey}`]: { action: 'cancel' } } };
    expect(await run(() => people.send(call?.name as PersonCall['name'], message))).toBe('left');
    child.kill('SIGCONT');
    await hears(({ id, method }) => id === 1 && method === undefined);
    await waiting(0);
  });

  it.each([
    ['by its command', ['--inbox', 'none'], {}],
    ['in CI', [], { PARLEY_INBOX: '', CI: 'true' }],
  ] as const)('is listed nowhere where that is turned off %s', async (_, flags, env) => {
    const home = join(above, 'home');
    await agent(flags, { PARLEY_INBOX: folder, ...env, HOME: home, XDG_STATE_HOME: '' });
    expect(await run(() => store.list())).toEqual([]);
    await expect(stat(join(home, '.local'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['cannot be made', async () => '/dev/null/inbox'],
    [
      'is damaged',
      async () => {
        const other = join(above, 'other');
        await mkdir(other, { mode: 0o700 });
        await writeFile(join(other, 'calls.db'), 'no database '.repeat(1_000));
        return other;
      },
    ],
  ])('is asked as before where the inbox %s', async (_, place) => {
    const { hears, say, asked } = await agent([], { PARLEY_INBOX: await place() });
    say({ id: asked.id, result: { action: 'cancel' } });
    await hears(({ id, method }) => id === 1 && method === undefined);
  });
});
