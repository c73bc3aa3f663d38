import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkReplay, createMockMcpClient } from '#src/testing/index.ts';
import { workerEntry } from '../isolation/worker-entry.ts';
import { asksAgain, reads, remembers, steady } from './worker-tools/tools.ts';

const client = () =>
  createMockMcpClient({ elicitResponses: { sure: { action: 'accept', content: { sure: true } } } });
const file = pathToFileURL(join(import.meta.dirname, 'worker-tools', 'tools.ts'));

// As the editor says where its own build is.
beforeAll(async () => void vi.stubEnv('PARLEY_DIST', dirname(await workerEntry())));

describe('checkReplay with the file of a tool', () => {
  it('lets a tool pass that continues in a worker', async () => {
    const { result } = await checkReplay(steady, {}, client(), { file });
    expect(result).toEqual({ at: '1970-01-01T00:00:00.000Z', sure: true });
  });

  it('finds what a module keeps, and names the line after which it is gone', async () => {
    expect(await checkReplay(remembers, {}, client())).toMatchObject({ result: 'Ada' });
    await expect(checkReplay(remembers, {}, client(), { file })).rejects.toThrow(
      'taken up in a worker after line 2 of its journal (stepped step-1 look), it came to "nobody", and before to "Ada"',
    );
    expect(await checkReplay(asksAgain, {}, client())).toMatchObject({ journal: {} });
    await expect(checkReplay(asksAgain, {}, client(), { file: file.href })).rejects.toThrow(
      "it asked the user “Sure, Ada?” ('sure'), and now it asks the user “Sure, undefined?”",
    );
  });

  it('finds what is there in the thread of the test alone', async () => {
    vi.stubGlobal('shop', 'De Kas');
    await expect(checkReplay(reads, {}, undefined, { file })).rejects.toThrow(
      'taken up in a worker from its beginning, it came to "no shop", and before to "De Kas"',
    );
  });

  it('says which tools are in a file that lacks this one, and what is wrong with one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const check = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return checkReplay(steady, {}, client(), { file: join(folder, name) });
    };
    await expect(check('none.ts', 'export const tool = 1;')).rejects.toThrow(
      "none.ts exports no tool 'steady' (it has none)",
    );
    await expect(check('broken.ts', 'export const tool = (;')).rejects.toThrow('Unexpected ";"');
    await expect(check('throws.ts', "throw new Error('no disk');")).rejects.toThrow('no disk');
  });
});
