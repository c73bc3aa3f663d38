import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { keysIn } from '#src/cli/secrets/key-file.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

describe('the keys of a file', () => {
  const key = Buffer.alloc(32, 0xfb);
  const holding = async (text: string) => {
    await writeFile(join(folder, 'keys'), text, { mode: 0o600 });
    return keysIn(join(folder, 'keys'));
  };

  test('are its lines, in base64 of either kind', async () => {
    const [plain, forUrls] = [key.toString('base64'), key.toString('base64url')];
    expect(plain).not.toBe(forUrls);
    expect(await holding(`${plain}\n${forUrls}\n`)).toEqual([key, key]);
  });

  test.each([
    ['too short', 'a'.repeat(42)],
    ['too long', 'a'.repeat(44)],
    ['a password', 'correct horse battery staple'],
    ['hexadecimal', key.toString('hex')],
    ['no base64', `${'a'.repeat(42)}!`],
  ])('are refused where one is %s', async (_, line) => {
    await expect(holding(`${key.toString('base64')}\n${line}\n`)).rejects.toThrow(
      /keys contains a line that is not a key: 32 bytes in base64/,
    );
  });

  test('are made where there is none, and stay', async () => {
    const [made] = await keysIn(join(folder, 'new'));
    expect(made).toHaveLength(32);
    expect(await keysIn(join(folder, 'new'))).toEqual([made]);
  });
});
