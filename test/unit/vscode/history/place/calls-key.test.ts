import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { all, run, sleep } from 'effection';
import { beforeEach, describe, expect, test } from 'vitest';
import { useCallsKey } from '#src/vscode/calls/history/place/calls-key.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;

beforeEach(() => {
  folder = tempFolder();
});

/** The secrets of an editor: each window has a copy, which hears of what another stored when the editor gets to it. */
function editorSecrets() {
  const windows: Map<string, string>[] = [];
  const untold: (() => void)[] = [];
  let stores = 0;
  return {
    /** Keys that were stored. */
    count: () => stores,
    tell: () => {
      for (const one of untold.splice(0)) one();
    },
    open() {
      const own = new Map<string, string>();
      windows.push(own);
      return {
        get: async (name: string) => own.get(name),
        store: async (name: string, value: string) => {
          stores += 1;
          own.set(name, value);
          untold.push(() => {
            for (const window of windows) window.set(name, value);
          });
        },
      };
    },
  };
}

const marks = async () => (await readdir(folder)).sort();

describe('the key of all windows', () => {
  test('is one when windows start for the first time together', async () => {
    const editor = editorSecrets();
    const windows = [editor.open(), editor.open(), editor.open()];
    const keys = await run(function* () {
      const opening = windows.map(function* (secrets) {
        const key = yield* useCallsKey(secrets, folder);
        // The others hear of it only now, long after it was stored.
        yield* sleep(50);
        editor.tell();
        return key;
      });
      return yield* all(opening);
    });
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(editor.count()).toBe(1);
    expect(await run(() => useCallsKey(windows[2] ?? editor.open(), folder))).toEqual(keys[0]);
  });

  test('is made by the next window when the one that was to make it has ended', async () => {
    await run(() => useCallsKey(editorSecrets().open(), folder));
    const [mark = ''] = await marks();
    const owner = await readFile(join(folder, mark), 'utf8');
    const { pid = 0 } = spawnSync(process.execPath, ['-e', '']);
    await writeFile(join(folder, mark), owner.replace(/"pid":\d+/, `"pid":${pid}`));

    const editor = editorSecrets();
    expect(await run(() => useCallsKey(editor.open(), folder))).toHaveLength(32);
    expect(editor.count()).toBe(1);
    expect(await marks()).toHaveLength(2);
  });

  test('is made by the next window when the one that was to make it has come to nothing', async () => {
    await run(() => useCallsKey(editorSecrets().open(), folder));
    const [mark = ''] = await marks();
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(folder, mark), longAgo, longAgo);

    const editor = editorSecrets();
    expect(await run(() => useCallsKey(editor.open(), folder))).toHaveLength(32);
    expect(editor.count()).toBe(1);
  });

  test('is one for each of two editors that share the folder, soon after the first has made its own', async () => {
    const one = editorSecrets();
    await run(() => useCallsKey(one.open(), folder));
    const [mark = ''] = await marks();
    const { mtimeMs } = await stat(join(folder, mark));
    // The turn is over in ten seconds, and not in a minute.
    expect(mtimeMs + 60_000 - Date.now()).toBeLessThanOrEqual(10_000);
    const over = new Date(Date.now() - 60_000);
    await utimes(join(folder, mark), over, over);
    const other = editorSecrets();
    await run(() => useCallsKey(other.open(), folder));
    expect([one.count(), other.count()]).toEqual([1, 1]);
  });

  test('is the one that another window stored before it ended, though it was not there a moment ago', async () => {
    const made = Buffer.alloc(32, 7);
    const answers = [undefined, made.toString('base64')];
    const stored: string[] = [];
    const secrets = {
      get: async () => answers.shift(),
      store: async (_: string, value: string) => void stored.push(value),
    };
    expect(Buffer.from(await run(() => useCallsKey(secrets, folder)))).toEqual(made);
    expect(stored).toEqual([]);
  });

  test('needs no turn when it is there', async () => {
    const editor = editorSecrets();
    const secrets = editor.open();
    const key = await run(() => useCallsKey(secrets, folder));
    await rm(join(folder, (await marks())[0] ?? ''));
    expect(await run(() => useCallsKey(secrets, folder))).toEqual(key);
    expect(await marks()).toEqual([]);
  });
});
