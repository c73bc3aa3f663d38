import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';
import { taskClient } from './kit/tasks.ts';

const tools = join(root, 'test/mcp/kit/task-tools.ts');
const running: Served[] = [];
let folder: string;
let log: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-tasks-'));
  log = join(folder, 'log');
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

async function serve(isolation = 'host'): Promise<Served> {
  const flags = ['--no-token', '--isolation', isolation, '--state', join(folder, 'calls')];
  const served = await serveHttp([tools], ...flags);
  running.push(served);
  return served;
}

const where = (row: number) => ({ where: { action: 'accept', content: { row } } });
const effects = async () => (await readFile(log, 'utf8')).trim().split('\n');
const doneSoFar = async () => (await effects()).map((line) => line.replace(/ \S+$/, ''));

describe.each(['host', 'worker'])('a task in a store, at several processes (--isolation %s)', (isolation) => {
  it('is answered at another process than it began in, and fetched at a third, all of them killed in between', async () => {
    const one = await serve(isolation);
    const id = await taskClient(one.url).begin('ship', { log });
    await taskClient(one.url).until(id, 'input_required');
    await one.stop('SIGKILL');
    const two = await serve(isolation);
    expect((await taskClient(two.url).get(id)).result).toMatchObject({
      status: 'input_required',
      inputRequests: { where: { params: { message: 'Which row?' } } },
    });
    expect((await taskClient(two.url).update(id, where(7))).result).toMatchObject({ resultType: 'complete' });
    await two.stop('SIGKILL');
    const three = await serve(isolation);
    expect(await taskClient(three.url).until(id, 'completed')).toMatchObject({
      result: { content: [{ text: 'shipped to 7' }] },
    });
    // A step that its process died in runs again; one that was done does not.
    const done = await doneSoFar();
    expect(done.filter((line) => line === 'pack')).toHaveLength(1);
    expect(done).toContain('ship 7');
  });

  it('goes on when its process is killed while it works', async () => {
    const [one, two] = [await serve(isolation), await serve(isolation)];
    const id = await taskClient(one.url).begin('endless', { log });
    await expect.poll(effects).toContain('begun 1');
    await one.stop('SIGKILL');
    await taskClient(two.url).until(id, 'working');
    await expect.poll(effects, { timeout: 60_000 }).toContain('begun 2');
  });
});

describe('a task that is cancelled', () => {
  it('at another process than has it is cancelled at once, and its code is halted there', async () => {
    const [one, two] = [await serve(), await serve()];
    const id = await taskClient(one.url).begin('endless', { log });
    await expect.poll(effects).toContain('begun 1');
    expect((await taskClient(two.url).cancel(id)).result).toMatchObject({ resultType: 'complete' });
    for (const { url } of [two, one]) {
      expect(await taskClient(url).until(id, 'cancelled')).toMatchObject({ status: 'cancelled' });
    }
    await expect.poll(effects, { timeout: 60_000 }).toContain('halted');
    expect(await effects()).toEqual(['begun 1', 'halted']);
  });

  it.each([
    ['at the process that has it', 0],
    ['at another', 1],
  ])('%s stays so when that is killed at once', async (_, at) => {
    const both = [await serve(), await serve()];
    const [one, two] = both as [Served, Served];
    const id = await taskClient(one.url).begin('endless', { log });
    await expect.poll(effects).toContain('begun 1');
    await taskClient((both[at] as Served).url).cancel(id);
    await one.stop('SIGKILL');
    await two.stop('SIGKILL');
    const three = await serve();
    const client = taskClient(three.url);
    expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
    await client.update(id, where(1));
    expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
    expect(await effects()).not.toContain('begun 2');
  });

  it('while it waits stays so when its processes are killed', async () => {
    const one = await serve();
    const id = await taskClient(one.url).begin('ship', { log });
    await taskClient(one.url).until(id, 'input_required');
    await one.stop('SIGKILL');
    const two = await serve();
    await taskClient(two.url).cancel(id);
    await two.stop('SIGKILL');
    const three = taskClient((await serve()).url);
    expect((await three.get(id)).result).toMatchObject({ status: 'cancelled' });
    await three.update(id, where(1));
    expect((await three.get(id)).result).toMatchObject({ status: 'cancelled' });
    expect(await doneSoFar()).toEqual(['pack']);
  });
});
