import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { ownFolder } from './kit/own-folder.ts';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';
import { accept, leg, type Message } from './kit/wire.ts';

const tools = join(root, 'test/mcp/kit/durable-tools.ts');
const own = ownFolder();

async function serve(...flags: readonly string[]): Promise<Served> {
  const served = await serveHttp([tools], '--no-token', ...flags);
  own.ending(served);
  return served;
}

/** Where their tools run. */
const isolations = inRings<['host' | 'worker']>([['host']], [['worker']]);
const isolated = (isolation: 'host' | 'worker') => ['--isolation', isolation];

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
    const flags = [...isolated(isolation), '--state', 'carried', '--state-key-file', join(own.path, 'keys')];
    const end = await legs(flags, { name: 'plan', arguments: { to: 'LIS' } }, [
      { day: accept({ day: 'monday' }) },
      { seat: accept({ row: 7 }) },
      { sure: accept({ sure: true }) },
    ]);
    expect(end.result).toMatchObject({ content: [{ text: 'LIS monday 7 true' }] });
    expect((await stat(join(own.path, 'keys'))).mode & 0o077).toBe(0);
  }, 60_000);

  it('go on with a call in a own.path, and each of its steps runs once', async () => {
    const flags = [...isolated(isolation), '--state', join(own.path, 'calls')];
    const end = await legs(flags, { name: 'release', arguments: { log: own.log } }, [
      { version: accept({ version: '1.0' }) },
      { sure: accept({ sure: true }) },
    ]);
    expect(end.result).toMatchObject({ content: [{ text: 'released 1.0: true' }] });
    expect((await own.effects()).map((line) => line.replace(/ \S+$/, ''))).toEqual([
      'read',
      'tag 1.0',
      'publish 1.0',
    ]);
  }, 60_000);
});

it('a process whose calls stay in its memory says so once, though nobody asked', async () => {
  const server = await serve('--state', 'carried', '--state-key-file', join(own.path, 'keys'));
  const call = { name: 'long', arguments: { text: randomBytes(40_000).toString('base64') } };
  await leg(server, call);
  await leg(server, call);
  await expect.poll(() => server.stderr()).toContain("a call of 'long' stays in the memory of this process");
  expect(server.stderr().match(/^parley-mcp: /gm)).toHaveLength(1);
}, 60_000);

describe.each(isolations)('two processes on one folder (--isolation %s)', (isolation) => {
  it('go on once with the same answers at once, and give the same response', async () => {
    const flags = [...isolated(isolation), '--state', join(own.path, 'calls')];
    const [a, b] = await Promise.all([serve(...flags), serve(...flags)]);
    const call = { name: 'release', arguments: { log: own.log } };
    const one = await leg(a, call);
    const answers = { version: accept({ version: '1.0' }) };
    const both = await Promise.all([leg(a, call, one, answers), leg(b, call, one, answers)]);
    expect(both[0].result.inputRequests).toHaveProperty('sure');
    expect(both[1].result).toEqual(both[0].result);
    expect(await own.effects()).toHaveLength(2);
  }, 60_000);

  it('one dies in the middle of a step: the other runs that step again with the same id', async () => {
    const flags = [...isolated(isolation), '--state', join(own.path, 'calls')];
    const [a, b] = await Promise.all([serve(...flags), serve(...flags)]);
    const call = { name: 'perish', arguments: { log: own.log } };
    const one = await leg(a, call);
    const answers = { name: accept({ name: 'ann' }) };
    await expect(leg(a, call, one, answers)).rejects.toThrow();
    const end = await leg(b, call, one, answers);
    expect(end.result).toMatchObject({ content: [{ text: 'hello ann' }] });
    const [before, first, again] = (await own.effects()).map((line) => line.split(' '));
    expect(before?.[0]).toBe('before');
    expect([first?.[2], again?.[2]]).toEqual(['1', '2']);
    expect(again?.[1]).toBe(first?.[1]);
    expect(await own.effects()).toHaveLength(3);
  }, 60_000);

  it('one is killed while a client of the other waits for the same call: the other answers it', async () => {
    const flags = [...isolated(isolation), '--state', join(own.path, 'calls')];
    const [a, b] = await Promise.all([serve(...flags), serve(...flags)]);
    const call = { name: 'stall', arguments: { log: own.log } };
    const one = await leg(a, call);
    const answers = { name: accept({ name: 'ann' }) };
    const lost = leg(a, call, one, answers).catch(() => 'lost');
    await expect.poll(own.effects).toHaveLength(1);
    const waits = leg(b, call, one, answers);
    // What came before it has been begun.
    await leg(b, { name: 'plan', arguments: { to: 'LIS' } });
    await a.stop('SIGKILL');
    expect(await lost).toBe('lost');
    expect((await waits).result).toMatchObject({ content: [{ text: 'hello ann' }] });
    const [first, again, ...more] = (await own.effects()).map((line) => line.split(' '));
    expect([first?.[2], again?.[2], more]).toEqual(['1', '2', []]);
    expect(again?.[1]).toBe(first?.[1]);
  }, 90_000);

  it('a folder that cannot be one is said: to the client without, to the operator with its path', async () => {
    const file = join(own.path, 'file');
    await writeFile(file, '');
    const keys = join(own.path, 'keys');
    const server = await serve(
      ...isolated(isolation),
      '--state',
      join(file, 'calls'),
      '--state-key-file',
      keys,
    );
    for (const to of ['LIS', 'OPO']) {
      const { error } = await leg(server, { name: 'plan', arguments: { to } });
      expect(error.message).toBe('This server cannot save calls now: try again later');
    }
    await expect.poll(() => server.stderr()).toContain(join(file, 'calls'));
    expect(server.stderr().match(/^parley-mcp: /gm)).toHaveLength(1);
  }, 60_000);
});
