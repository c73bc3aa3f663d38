import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';

/** What stands for a program of Windows: it writes down what it is asked, an argument a line. */
async function program(file: string, then: string) {
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "$@" >"${file}.asked"\n${then}\n`);
  await chmod(file, 0o755);
}

const asked = async (file: string) => (await readFile(`${file}.asked`, 'utf8')).trimEnd().split('\n');

it.skipIf(process.platform === 'win32')(
  'on Windows a server whose command is a script, as npx is, is started by the shell, and ends with all that the shell has started',
  async () => {
    const root = tempFolder();
    await mkdir(join(root, 'System32'));
    const shell = join(root, 'System32/cmd.exe');
    const killer = join(root, 'System32/taskkill.exe');
    await program(shell, 'echo running >&2; exec /bin/sleep 600');
    await program(killer, 'kill -9 "$2"');
    const script = join(import.meta.dirname, 'on-windows.ts');
    const { stdout: pid } = await promisify(execFile)(
      process.execPath,
      [script, 'npx', '-y', 'a server', 'a&calc', '%PATH%'],
      { env: { PATH: root, SYSTEMROOT: root, comspec: shell } },
    );
    // The shell reads nothing of what is quoted for it.
    const line = '"npx ^"-y^" ^"a^ server^" ^"a^&calc^" ^"^%PATH^%^""';
    expect(await asked(shell)).toEqual(['/d', '/s', '/c', line]);
    expect(await asked(killer)).toEqual(['/pid', pid, '/t', '/f']);
  },
);
