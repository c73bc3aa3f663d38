import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, suspend } from 'effection';
import { beforeEach, expect, it, vi } from 'vitest';
import { useViewsFolder } from '#src/vscode/authoring/workspace/views-folder.ts';
import { tempFolder } from '#test/temp-folder.ts';

let storage: string;
beforeEach(() => {
  storage = tempFolder();
});

it('gives each window a folder of its own, which goes with it', async () => {
  const folders: string[] = [];
  const windows = [1, 2].map(() =>
    run(function* () {
      folders.push(yield* useViewsFolder(storage));
      yield* suspend();
    }),
  );
  expect(new Set(folders).size).toBe(2);
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'views.js'), '');
  }
  await windows[0]?.halt();
  expect(await readdir(join(storage, 'views'))).toHaveLength(1);
  await windows[1]?.halt();
  expect(await readdir(join(storage, 'views'))).toEqual([]);
});

it('removes what crashed windows left, days later', async () => {
  const old = join(storage, 'views', 'old');
  const recent = join(storage, 'views', 'recent');
  for (const folder of [old, recent]) await mkdir(folder, { recursive: true });
  await utimes(old, 1, 1);
  const window = run(function* () {
    yield* useViewsFolder(storage);
    yield* suspend();
  });
  await vi.waitFor(async () => expect(await readdir(join(storage, 'views'))).not.toContain('old'));
  expect(await readdir(join(storage, 'views'))).toContain('recent');
  await window.halt();
});

it('leaves a window that has been open for days what it has', async () => {
  const window = () =>
    run(function* () {
      folders.push(yield* useViewsFolder(storage));
      yield* suspend();
    });
  const folders: string[] = [];
  const first = window();
  const [own = ''] = folders;
  await vi.waitFor(async () => expect(await readdir(own)).toHaveLength(1));
  await utimes(own, 1, 1);
  await mkdir(join(storage, 'views', 'old'));
  await utimes(join(storage, 'views', 'old'), 1, 1);

  const second = window();
  await vi.waitFor(async () => expect(await readdir(join(storage, 'views'))).not.toContain('old'));
  expect(await readdir(own)).toHaveLength(1);
  await second.halt();
  await first.halt();
});

it('does without storage', async () => {
  await run(() => useViewsFolder(join(storage, 'not', 'there')));
});
