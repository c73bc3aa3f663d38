import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { ownFolder } from './kit/own-folder.ts';
import { root, type Served, served, serveHttp } from './kit/parley-serve.ts';
import { listening, taskClient } from './kit/tasks.ts';
import { type Message, openSession } from './kit/wire.ts';

const tools = join(root, 'test/mcp/kit/task-tools.ts');
const own = ownFolder();
let postgres: Postgres;
/** Of the key for what is in PostgreSQL. */
let shared: string;

beforeAll(async () => {
  shared = tempFolder();
  postgres = await startPostgres({ max_connections: '60' });
  process.env.PARLEY_STATE_PASSWORD = postgres.password;
});
afterAll(async () => {
  delete process.env.PARLEY_STATE_PASSWORD;
  await postgres.close();
});

type Store = 'a folder' | 'PostgreSQL';

async function serve(store: Store, isolation = 'host'): Promise<Served> {
  const state = {
    'a folder': () => [join(own.path, 'calls')],
    PostgreSQL: () => [
      postgres.url.replace(`:${postgres.password}@`, '@'),
      '--state-key-file',
      join(shared, 'key'),
    ],
  }[store]();
  const flags = ['--no-token', '--isolation', isolation, '--state', ...state];
  const served = await serveHttp([tools], ...flags);
  own.ending(served);
  return served;
}

const where = (row: number) => ({ where: { action: 'accept', content: { row } } });
const doneSoFar = async () => (await own.effects()).map((line) => line.replace(/ \S+$/, ''));

/**
 * Answers at another process while its own stands still, then ends that. One that stands still while it writes has the folder
 * locked: the client is told so, and sends the answer again.
 */
async function answeredPast(one: Served, two: ReturnType<typeof taskClient>, id: string): Promise<void> {
  one.child.kill('SIGSTOP');
  const { error } = await two.update(id, where(7));
  await one.stop('SIGKILL');
  if (!error) return;
  expect(error.message).toContain('cannot save calls now');
  expect((await two.update(id, where(7))).result).toMatchObject({ resultType: 'complete' });
}

describe.each<[Store, string]>(
  inRings(
    [['a folder', 'host']],
    [
      ['a folder', 'worker'],
      ['PostgreSQL', 'worker'],
    ],
  ),
)('a task in %s, at several processes (--isolation %s)', (store, isolation) => {
  it('is answered at another process and fetched at a third, all killed in between', async () => {
    const one = await serve(store, isolation);
    const id = await taskClient(one.url).begin('ship', { log: own.log });
    await taskClient(one.url).until(id, 'input_required');
    await one.stop('SIGKILL');
    const two = await serve(store, isolation);
    // A store may take a moment to notice that its holder is gone.
    expect(await taskClient(two.url).until(id, 'input_required')).toMatchObject({
      inputRequests: { where: { params: { message: 'Which row?' } } },
    });
    expect((await taskClient(two.url).update(id, where(7))).result).toMatchObject({ resultType: 'complete' });
    await two.stop('SIGKILL');
    const three = await serve(store, isolation);
    expect(await taskClient(three.url).until(id, 'completed')).toMatchObject({
      result: { content: [{ text: 'shipped to 7' }] },
    });
    // A step that its process died in runs again; one that was done does not.
    const done = await doneSoFar();
    expect(done.filter((line) => line === 'pack')).toHaveLength(1);
    expect(done).toContain('ship 7');
  });

  it('goes on when its process is killed while it works', async () => {
    const [one, two] = [await serve(store, isolation), await serve(store, isolation)];
    const id = await taskClient(one.url).begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    await one.stop('SIGKILL');
    await taskClient(two.url).until(id, 'working');
    await expect.poll(own.effects, { timeout: 60_000 }).toContain('begun 2');
  });
});

describe.each<Store>(inRings(['a folder'], ['PostgreSQL']))(
  'a task in %s that asks while it works',
  (store) => {
    const both = async () => {
      const [one, two] = [await serve(store), await serve(store)];
      const go = join(own.path, 'go');
      const id = await taskClient(one.url).begin('beside', { log: own.log, go });
      await taskClient(two.url).until(id, 'input_required');
      // It may ask before its step has begun.
      await expect.poll(own.effects).toEqual(['begun 1']);
      return { one, two: taskClient(two.url), url: two.url, id, go };
    };

    it('hears at once what it is answered at another process, and works on', async () => {
      const { two, id, go } = await both();
      expect((await two.update(id, { ...where(7), other: where(8).where })).result).toMatchObject({
        resultType: 'complete',
      });
      await expect.poll(own.effects, { timeout: 60_000 }).toEqual(['begun 1', 'row 7']);
      await writeFile(go, '');
      expect(await two.until(id, 'completed')).toMatchObject({
        result: { content: [{ text: 'worked for 7' }] },
      });
      expect(await own.effects()).toEqual(['begun 1', 'row 7']);
    });

    it('has that answer, too, when its process is killed before it hears it', async () => {
      const { one, two, id, go } = await both();
      await answeredPast(one, two, id);
      await two.until(id, 'working');
      await expect.poll(own.effects, { timeout: 60_000 }).toContain('row 7');
      await writeFile(go, '');
      expect(await two.until(id, 'completed')).toMatchObject({
        result: { content: [{ text: 'worked for 7' }] },
      });
    });

    it('is told of at another process, also when its own is killed before the news of it', async () => {
      const { one, two, url, id, go } = await both();
      const news = await listening(url, { taskIds: [id] });
      const status = (name: string) => news.until(({ params }) => params?.status === name);
      await status('input_required');
      await answeredPast(one, two, id);
      // Nobody polls: who listens is told by whoever takes it up.
      await writeFile(go, '');
      expect((await status('completed')).params.result).toMatchObject({
        content: [{ text: 'worked for 7' }],
      });
      expect(await own.effects()).toContain('row 7');
    });

    it('asks again after an answer that does not fit', async () => {
      const { two, id, go } = await both();
      await two.update(id, where(99));
      await expect
        .poll(async () => Object.keys((await two.get(id)).result.inputRequests ?? {}), { timeout: 60_000 })
        .toEqual(['where~2']);
      await two.update(id, { 'where~2': where(7).where });
      await writeFile(go, '');
      expect(await two.until(id, 'completed')).toMatchObject({
        result: { content: [{ text: 'worked for 7' }] },
      });
    });
  },
);

describe.each<Store>(inRings(['a folder'], ['PostgreSQL']))(
  'the result of a task of 2025-11-25 in %s, waited for at another process than works on it',
  (store) => {
    const both = async (tool: string) => {
      const [one, two] = [await serve(store), await serve(store)];
      const [began, waits] = [await openSession(one.url), await openSession(two.url)];
      const go = join(own.path, 'go');
      const begun = await began.request(1, 'tools/call', {
        name: tool,
        arguments: { log: own.log, go },
        task: {},
      });
      const { taskId } = (await begun.until(({ id }) => id === 1)).result.task;
      await expect.poll(own.effects).toEqual(['begun 1']);
      const reply = await waits.request(2, 'tasks/result', { taskId });
      return { one, waits, taskId, go, reply };
    };

    it('comes when the task ends; what that asks is asked there, once, when its step is over', async () => {
      const { waits, taskId, go, reply } = await both('beside');
      const asked: Message[] = [];
      const result = reply.until((message) => {
        if (message.method === 'elicitation/create') asked.push(message);
        return message.id === 2 && message.method === undefined;
      });
      await writeFile(go, '');
      await expect.poll(() => asked, { timeout: 60_000 }).toHaveLength(1);
      const [{ id, params } = {}] = asked;
      expect(params).toMatchObject({
        message: 'Which row?',
        _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
      });
      const { status } = await waits.answer(id as string | number, { action: 'accept', content: { row: 7 } });
      expect(status).toBe(202);
      expect((await result).result).toMatchObject({ content: [{ text: 'worked for 7' }] });
      expect(asked).toHaveLength(1);
      expect(await own.effects()).toEqual(['begun 1', 'row 7']);
    });

    it('says that it was cancelled, though the process that has it does nothing any more', async () => {
      const { one, waits, taskId, reply } = await both('endless');
      one.child.kill('SIGSTOP');
      await waits.request(3, 'tasks/cancel', { taskId });
      expect((await reply.until(({ id }) => id === 2)).error).toMatchObject({
        message: expect.stringContaining('cancelled'),
      });
    });
  },
);

describe('a process of a team', () => {
  it('is told by PostgreSQL that a task of its was answered, and that one was cancelled', async () => {
    const keyFile = join(own.path, 'key');
    await writeFile(keyFile, randomBytes(32).toString('base64'));
    const start = async () => {
      const one = await served([join(root, 'test/mcp/kit/replica.ts'), postgres.url, keyFile]);
      own.ending(one);
      return taskClient(one.url);
    };
    const [one, two] = [await start(), await start()];
    const go = join(own.path, 'go');
    const [asks, works] = [
      await one.begin('beside', { log: own.log, go }),
      await one.begin('endless', { log: own.log }),
    ];
    await two.until(asks, 'input_required');
    await two.update(asks, where(7));
    await expect.poll(own.effects, { timeout: 60_000 }).toContain('row 7');
    await two.cancel(works);
    await expect.poll(own.effects, { timeout: 60_000 }).toContain('halted');
  });
});

describe.each<Store>(inRings(['a folder'], ['PostgreSQL']))('a task in %s that is cancelled', (store) => {
  it('at another process than has it is cancelled at once, and its code is halted there', async () => {
    const [one, two] = [await serve(store), await serve(store)];
    const id = await taskClient(one.url).begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    expect((await taskClient(two.url).cancel(id)).result).toMatchObject({ resultType: 'complete' });
    for (const { url } of [two, one]) {
      expect(await taskClient(url).until(id, 'cancelled')).toMatchObject({ status: 'cancelled' });
    }
    await expect.poll(own.effects, { timeout: 60_000 }).toContain('halted');
    expect(await own.effects()).toEqual(['begun 1', 'halted']);
  });

  it.each([
    ['at the process that has it', 0],
    ['at another', 1],
  ])('%s stays so when that is killed at once', async (_, at) => {
    const both = [await serve(store), await serve(store)];
    const [one, two] = both as [Served, Served];
    const id = await taskClient(one.url).begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    await taskClient((both[at] as Served).url).cancel(id);
    await one.stop('SIGKILL');
    await two.stop('SIGKILL');
    const three = await serve(store);
    const client = taskClient(three.url);
    expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
    await client.update(id, where(1));
    expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
    expect(await own.effects()).not.toContain('begun 2');
  });

  it('while it waits stays so when its processes are killed', async () => {
    const one = await serve(store);
    const id = await taskClient(one.url).begin('ship', { log: own.log });
    await taskClient(one.url).until(id, 'input_required');
    await one.stop('SIGKILL');
    const two = await serve(store);
    await taskClient(two.url).cancel(id);
    await two.stop('SIGKILL');
    const three = taskClient((await serve(store)).url);
    expect((await three.get(id)).result).toMatchObject({ status: 'cancelled' });
    await three.update(id, where(1));
    expect((await three.get(id)).result).toMatchObject({ status: 'cancelled' });
    expect(await doneSoFar()).toEqual(['pack']);
  });
});
