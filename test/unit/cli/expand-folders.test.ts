import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'effection';
import { expect, test } from 'vitest';
import { expandFolders } from '#src/cli/modules/expand-folders.ts';
import { tempFolder } from '#test/temp-folder.ts';

async function workspace(): Promise<string> {
  const folder = tempFolder();
  await mkdir(join(folder, 'shop/.parley/tools'), { recursive: true });
  return folder;
}

test('a folder is its tools, a link among them is named, and a test is left out', async () => {
  const cwd = await workspace();
  const tools = join(cwd, 'shop/.parley/tools');
  await writeFile(join(tools, 'buy.ts'), '');
  await symlink(cwd, join(tools, 'elsewhere'), 'dir');
  const { paths, found, problems } = await run(() => expandFolders(['a.ts', 'a.test.ts', 'shop'], cwd));
  expect(paths).toEqual(['a.ts', join('shop/.parley/tools/buy.ts')]);
  expect([...found]).toEqual([join(tools, 'buy.ts')]);
  expect(problems).toMatchObject([
    { file: join(cwd, 'a.test.ts'), severity: 'warning' },
    { file: join(tools, 'elsewhere'), message: expect.stringContaining('Links are not followed') },
  ]);
});

test('a folder without tools says where to put them', async () => {
  const cwd = await workspace();
  const { paths, problems } = await run(() => expandFolders(['shop'], cwd));
  expect(paths).toEqual([]);
  expect(problems).toMatchObject([{ message: expect.stringMatching(/no tools in .* such as shop/) }]);
});
