import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkInside } from '#src/vscode/calls/editor/inside.ts';
import { tempFolder } from '#test/temp-folder.ts';

let base: string;
beforeAll(async () => {
  base = tempFolder();
  await mkdir(join(base, 'shop', 'src'), { recursive: true });
  await mkdir(join(base, 'shopping'));
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'shop', 'src', 'a.ts'), '');
  await writeFile(join(base, 'outside', 'secret.json'), '');
  await symlink(join(base, 'outside'), join(base, 'shop', 'way-out'));
  await symlink(join(base, 'outside', 'secret.json'), join(base, 'shop', 'link.json'));
  await symlink(join(base, 'nowhere'), join(base, 'shop', 'dangling'));
  await symlink(join(base, 'shop', 'src'), join(base, 'shop', 'way-in'));
  await symlink(base, join(base, 'shop', 'way-up'));
  await symlink(join(base, 'shop'), join(base, 'shortcut'));
});

/** A URI as the editor has it: decoded once. */
const place = (path: string, scheme = 'file', authority = '') => ({ scheme, authority, path, fsPath: path });
const check = (name: string, folder = 'shop') => {
  const text = `file://${base}/${name}`;
  const decoded = name.includes('%') ? `${base}/${decodeURIComponent(name)}` : `${base}/${name}`;
  return checkInside(text, place(decoded), [place(join(base, folder))]);
};

describe('a file in the folders of the editor', () => {
  it.each([
    'shop/src/a.ts',
    'shop/new/deep/file.ts',
    'shop/way-in/a.ts',
    'shop/a%20b.ts',
    'shop/..a',
    'shop/%252e%252e',
  ])('%s is one', (name) => expect(check(name)).resolves.toBeUndefined());

  it.each([
    'outside/secret.json',
    'shopping/a.ts',
    'shop',
    'shop/../outside/secret.json',
    'shop/%2e%2e/outside/secret.json',
    'shop/..%2foutside%2fsecret.json',
    'shop/..%2F..%2Foutside',
    'shop/..%5coutside',
    'shop/a%00.ts',
    'shop/./src/a.ts',
    'shop/way-out/secret.json',
    'shop/way-out/new.json',
    'shop/link.json',
    'shop/way-up',
    'shop/dangling',
    'shop/dangling/new.json',
  ])('%s is none', (name) => expect(check(name)).rejects.toThrow(/is in no folder of this window/));

  it('may be in a folder that was opened through a link', async () => {
    await expect(check('shortcut/src/a.ts', 'shortcut')).resolves.toBeUndefined();
    await expect(check('shortcut/link.json', 'shortcut')).rejects.toThrow();
  });

  it('is of the same kind and place as its folder', async () => {
    const file = place('/shop/a.ts', 'vscode-vfs', 'github');
    const text = 'vscode-vfs://github/shop/a.ts';
    await expect(checkInside(text, file, [place('/shop', 'vscode-vfs', 'github')])).resolves.toBeUndefined();
    await expect(checkInside(text, file, [place('/shop', 'vscode-vfs', 'other')])).rejects.toThrow();
    await expect(checkInside(text, file, [place('/shop')])).rejects.toThrow();
    await expect(checkInside(text, file, [])).rejects.toThrow();
  });

  it('is nowhere outside of them, whatever the client’s folders are', async () => {
    const here = fileURLToPath(import.meta.url);
    await expect(checkInside(`file://${here}`, place(here), [place(join(base, 'shop'))])).rejects.toThrow();
  });
});
