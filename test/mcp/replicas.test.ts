import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';
import { ask, type Message } from './kit/wire.ts';

const tools = join(root, 'test/mcp/kit/durable-tools.ts');
const running: Served[] = [];
let folder: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-replicas-'));
  log = join(folder, 'log');
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<Served> {
  const served = await serveHttp([tools], '--no-token', ...flags);
  running.push(served);
  return served;
}

/** Where their tools run. */
const isolations = [['host'], ['worker']] as const;
const isolated = (isolation: 'host' | 'worker') => ['--isolation', isolation];

const accept = (content: object) => ({ action: 'accept', content });
const effects = async () => (await readFile(log, 'utf8')).trim().split('\n');

async function leg(at: Served, call: object, last?: Message, answers?: object): Promise<Message> {
  const state = last && { requestState: last.result.requestState };
  return await ask(at.url, 'tools/call', { ...call, ...state, ...(answers && { inputResponses: answers }) });
}

/** A process of its own for each leg, killed after it. */
async function legs(flags: readonly string[], call: object, answers: readonly object[]): Promise<Message> {
  let last: Message | undefined;
  for (const given of [undefined, ...answers]) {
    const server = await serve(...flags);
    last = await leg(server, call, last, given);
    await server.stop('SIGKILL');
  }
  if (!last) throw new Error('no leg');
  return last;
}

describe.each(isolations)('processes that get one leg each (--isolation %s)', (isolation) => {
  it('go on with a call that its client carries', async () => {
    const flags = [...isolated(isolation), '--state', 'carried', '--state-key-file', join(folder, 'keys')];
    const end = await legs(flags, { name: 'plan', arguments: { to: 'LIS' } }, [
      { day: accept({ day: 'monday' }) },
      { seat: accept({ row: 7 }) },
      { sure: accept({ sure: true }) },
    ]);
    expect(end.result).toMatchObject({ content: [{ text: 'LIS monday 7 true' }] });
    expect((await stat(join(folder, 'keys'))).mode & 0o077).toBe(0);
  }, 60_000);

  it('go on with a call in a folder, and each of its steps runs once', async () => {
    const flags = [...isolated(isolation), '--state', join(folder, 'calls')];
    const end = await legs(flags, { name: 'release', arguments: { log } }, [
      { version: accept({ version: '1.0' }) },
      { sure: accept({ sure: true }) },
    ]);
    expect(end.result).toMatchObject({ content: [{ text: 'released 1.0: true' }] });
    expect((await effects()).map((line) => line.replace(/ \S+$/, ''))).toEqual([
      'read',
      'tag 1.0',
      'publish 1.0',
    ]);
  }, 60_000);
});

it('a process whose calls stay in its memory says so once, though nobody asked', async () => {
  const server = await serve('--state', 'carried', '--state-key-file', join(folder, 'keys'));
  const call = { name: 'release', arguments: { log } };
  await leg(server, call);
  await leg(server, call);
  await expect
    .poll(() => server.stderr())
    .toContain("a call of 'release' stays in the memory of this process");
  expect(server.stderr().match(/^parley: /gm)).toHaveLength(1);
}, 60_000);

describe.each(isolations)('two processes on one folder (--isolation %s)', (isolation) => {
  it('go on once with the same answers at once, and give the same response', async () => {
    const flags = [...isolated(isolation), '--state', join(folder, 'calls')];
    const [a, b] = await Promise.all([serve(...flags), serve(...flags)]);
    const call = { name: 'release', arguments: { log } };
    const one = await leg(a, call);
    const answers = { version: accept({ version: '1.0' }) };
    const both = await Promise.all([leg(a, call, one, answers), leg(b, call, one, answers)]);
    expect(both[0].result.inputRequests).toHaveProperty('sure');
    expect(both[1].result).toEqual(both[0].result);
    expect(await effects()).toHaveLength(2);
  }, 60_000);

  it('one dies in the middle of a step: the other goes on at once, and runs that step again with the same id', async () => {
    const flags = [...isolated(isolation), '--state', join(folder, 'calls')];
    const [a, b] = await Promise.all([serve(...flags), serve(...flags)]);
    const call = { name: 'perish', arguments: { log } };
    const one = await leg(a, call);
    const answers = { name: accept({ name: 'ann' }) };
    await expect(leg(a, call, one, answers)).rejects.toThrow();
    const end = await leg(b, call, one, answers);
    expect(end.result).toMatchObject({ content: [{ text: 'hello ann' }] });
    const [before, first, again] = (await effects()).map((line) => line.split(' '));
    expect(before?.[0]).toBe('before');
    expect([first?.[2], again?.[2]]).toEqual(['1', '2']);
    expect(again?.[1]).toBe(first?.[1]);
    expect(await effects()).toHaveLength(3);
  }, 60_000);

  it('a folder that cannot be one: the client hears that calls cannot be kept, the operator where, once', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const keys = join(folder, 'keys');
    const server = await serve(
      ...isolated(isolation),
      '--state',
      join(file, 'calls'),
      '--state-key-file',
      keys,
    );
    for (const to of ['LIS', 'OPO']) {
      const { error } = await leg(server, { name: 'plan', arguments: { to } });
      expect(error.message).toBe('This server cannot keep calls now: try again later');
    }
    await expect.poll(() => server.stderr()).toContain(join(file, 'calls'));
    expect(server.stderr().match(/^parley: /gm)).toHaveLength(1);
  }, 60_000);
});
