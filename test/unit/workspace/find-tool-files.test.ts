import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const repo = join(import.meta.dirname, '..', '..', '..');

/** For root every folder can be read. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What is found by somebody who is not root; the error, if there is one. */
const found = (folder: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { run } from 'effection';
       import { findToolFiles } from './src/workspace/files/find-tool-files.ts';
       const found = await run(() => findToolFiles(process.argv[1], ['**/*.tool.ts'])).catch((error) => error.code);
       console.log(JSON.stringify(found.files ?? found));`,
      folder,
    ],
    { cwd: repo, encoding: 'utf8', ...nobody },
  );

test.runIf(process.platform !== 'win32')(
  'a folder on the way that may not be read costs nobody the other tools; that of the tools itself is told of',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-find-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
