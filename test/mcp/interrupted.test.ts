import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, until } from 'effection';
import { createSqliteStore } from 'parley-mcp/stores';
import { expect, it, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { takeUp } from './kit/interrupted-call.ts';

it('a call of another server’s tool is not made again after kill -9: the tool is told', {
  timeout: 180_000,
  tags: 'long',
}, async () => {
  const folder = tempFolder();
  const key = randomBytes(32);
  const log = join(folder, 'log');
  const kept = join(folder, 'calls');
  const script = join(import.meta.dirname, 'kit/interrupted-call.ts');
  const child = spawn(process.execPath, [script, kept, key.toString('base64url'), log], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  const effects = () => readFile(log, 'utf8').catch(() => '');
  try {
    await vi.waitFor(async () => expect(await effects()).toBe('tagged\n'), { timeout: 60_000 });
    child.kill('SIGKILL');
    await gone;
    await run(function* () {
      const session = yield* takeUp(createSqliteStore({ folder: kept, keys: [key] }));
      yield* until(
        vi.waitFor(
          () => expect(session.openAsks()).toMatchObject([{ request: { message: 'CallInterruptedError' } }]),
          { timeout: 60_000 },
        ),
      );
    });
    expect(await effects()).toBe('tagged\n');
  } finally {
    child.kill('SIGKILL');
  }
});
