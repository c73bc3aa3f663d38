import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loginTurns } from '#src/vscode/servers/login/login-turns.ts';
import { tempFolder } from '#test/temp-folder.ts';

it('one window at a time has a turn; the next has it when the first says so', async () => {
  const folder = tempFolder();
  const [one, other] = [loginTurns(folder), loginTurns(folder)];
  const over = await one('token');
  expect([await other('token'), await other('another')]).toEqual([undefined, expect.any(Function)]);
  await over?.();
  expect(await other('token')).toEqual(expect.any(Function));
});

it('what is left of turns does not grow for ever', async () => {
  const folder = tempFolder();
  const turn = loginTurns(folder);
  await turn('old');
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const file of await readdir(join(folder, 'logins')))
    await utimes(join(folder, 'logins', file), yesterday, yesterday);
  await turn('new');
  expect(await readdir(join(folder, 'logins'))).toEqual(['new.maker-1']);
});
