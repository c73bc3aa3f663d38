import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';

const repo = join(import.meta.dirname, '..', '..', '..');

/** For root every folder can be read. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What is found by somebody who is not root, once `first` has run; the error, if there is one. */
const found = (folder: string, first = ''): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { run } from 'effection';
       ${first}
       const { findToolFiles } = await import('./src/workspace/files/find-tool-files.ts');
       const found = await run(() => findToolFiles(process.argv[1], ['**/*.tool.ts'])).catch((error) => error.code);
       console.log(JSON.stringify(found.files ?? found));`,
      folder,
    ],
    { cwd: repo, encoding: 'utf8', ...nobody },
  );

test.runIf(process.platform !== 'win32')(
  'a folder on the way that may not be read costs nobody the other tools; that of the tools itself is told of',
  async () => {
    const folder = tempFolder();
    const closed = join(folder, 'data', 'database');
    const tools = join(folder, '.parley', 'tools');
    await mkdir(closed, { recursive: true });
    await mkdir(tools, { recursive: true });
    for (const file of [join(tools, 'a.ts'), join(folder, 'data', 'b.tool.ts')]) await writeFile(file, '');
    await chmod(folder, 0o755);
    await chmod(closed, 0);
    expect(JSON.parse(found(folder))).toEqual([join(tools, 'a.ts'), join(folder, 'data', 'b.tool.ts')]);
    await chmod(tools, 0);
    expect(JSON.parse(found(folder))).toBe('EACCES');
  },
);

/** Files of which there are more than a call may have arguments. */
const CROWD = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { readdir } = fs;
  const file = (name) => ({ name, isFile: () => true, isSymbolicLink: () => false, isDirectory: () => false });
  const pictures = Array.from({ length: 300_000 }, (_, at) => file(at + '.jpg'));
  fs.readdir = async (dir, options) => [...(await readdir(dir, options)), ...(dir.endsWith('pictures') ? pictures : [])];
  syncBuiltinESMExports();`;

test.runIf(process.platform !== 'win32')(
  'a glob may lead through hundreds of thousands of files',
  async () => {
    const folder = tempFolder();
    await chmod(folder, 0o755);
    const pictures = join(folder, 'data', 'pictures');
    await mkdir(pictures, { recursive: true });
    await writeFile(join(pictures, 'a.tool.ts'), '');
    expect(JSON.parse(found(folder, CROWD))).toEqual([join(pictures, 'a.tool.ts')]);
  },
);
