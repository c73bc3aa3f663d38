import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** A Windows as far as a process needs one: its shell, and what ends a process with all that it has started, write down what they are asked. */
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-windows-'));
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  await mkdir(join(folder, 'System32'));
  await program('System32/cmd.exe', 'exec /bin/sleep 600');
  await program('System32/taskkill.exe', 'kill -9 "$2"');
  vi.stubEnv('comspec', join(folder, 'System32/cmd.exe'));
  vi.stubEnv('SYSTEMROOT', folder);
  vi.stubEnv('PATH', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function program(path: string, then: string) {
  const file = join(folder, path);
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "$@" >"${file}.asked"\n${then}\n`);
  await chmod(file, 0o755);
}

/** What a program was asked: one argument a line. */
const asked = async (path: string) => {
  const text = await vi.waitFor(async () => {
    const read = await readFile(join(folder, `${path}.asked`), 'utf8');
    expect(read).not.toBe('');
    return read;
  }, 20_000);
  return text.trimEnd().split('\n');
};

it('a server whose command is a script, as npx is on Windows, is started by the shell, and ends with all that the shell has started', async () => {
  const { startProcess } = await import('#src/mcp/client/transport/child-process.ts');
  const args = ['-y', 'a server', 'a&calc', '%PATH%'];
  const started = await startProcess({ kind: 'stdio', name: 'one', command: 'npx', args, env: {} }, () => {});
  const [line = '', ...flags] = (await asked('System32/cmd.exe')).reverse();
  expect(flags).toEqual(['/c', '/s', '/d']);
  // The shell reads nothing of what is quoted for it.
  expect(line).toBe('"npx ^"-y^" ^"a^ server^" ^"a^&calc^" ^"^%PATH^%^""');
  await started.end();
  expect(await asked('System32/taskkill.exe')).toEqual(['/pid', String(started.child.pid), '/t', '/f']);
});
