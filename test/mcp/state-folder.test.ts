import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { bookFlight, type Served, serveHttp } from './kit/parley-serve.ts';

let folder: string;
let served: Served | undefined;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});

const serve = async () => {
  const started = await serveHttp([bookFlight], '--no-token', '--state', join(folder, 'calls'));
  served = started;
  const ready = async () => (await fetch(new URL('/ready', started.url))).status;
  return { ...started, ready };
};

describe('a server whose calls are in a folder', () => {
  it('says at its start that the folder is of no use, before anybody calls', async () => {
    await mkdir(join(folder, 'calls'), { mode: 0o700 });
    await writeFile(join(folder, 'calls', 'store.json'), JSON.stringify({ format: 1, id: 'x' }));
    const { stderr, ready } = await serve();
    await expect.poll(stderr).toContain('it holds files of calls from an earlier version of Parley');
    expect(await ready()).toBe(503);
  });

  it('is not ready while nothing can be written there, says why once, and is ready again', async () => {
    const { stderr, ready } = await serve();
    await expect.poll(ready).toBe(200);
    const database = join(folder, 'calls', 'calls.db');
    await rename(database, `${database}.away`);
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    await expect.poll(stderr).toContain('it is gone. Put it back');
    await rename(`${database}.away`, database);
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    expect(stderr().split('calls cannot be saved\n')).toHaveLength(2);
  });
});
