import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { keysIn } from '#src/cli/secrets/key-file.ts';
import { tokenIn } from '#src/cli/secrets/token-file.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

describe('a file with a secret', () => {
  test('is made once by servers that start at one moment: all have the same token', async () => {
    const file = join(folder, 'token');
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenIn(file)));
    expect(new Set(tokens)).toEqual(new Set([(await readFile(file, 'utf8')).trim()]));
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  test('that another server has made and not filled yet is waited for', async () => {
    const file = join(folder, 'token');
    await writeFile(file, '', { mode: 0o600 });
    const reading = tokenIn(file);
    await writeFile(file, `${'t'.repeat(32)}\n`);
    expect(await reading).toBe('t'.repeat(32));
  });

  test('that leads nowhere is said to', async () => {
    const file = join(folder, 'token');
    await symlink(join(folder, 'gone', 'token'), file);
    await expect(tokenIn(file)).rejects.toThrow(`${file} is empty, or a broken link`);
  });

  test('that is a folder, or has none to be in, is said to, and whose file it is', async () => {
    await mkdir(join(folder, 'keys'));
    await expect(keysIn(join(folder, 'keys'))).rejects.toThrow('is a folder: name the file of the key');
    const file = join(folder, 'gone', 'keys');
    await expect(keysIn(file)).rejects.toThrow(`the file of the key, '${file}', cannot be made (ENOENT)`);
  });

  test('that others can read is refused', async () => {
    const file = join(folder, 'keys');
    await writeFile(file, `${'k'.repeat(43)}\n`);
    await chmod(file, 0o640);
    await expect(keysIn(file)).rejects.toThrow('can be read by others');
  });
});
