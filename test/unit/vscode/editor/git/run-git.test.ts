import { tmpdir } from 'node:os';
import { run } from 'effection';
import { expect, it } from 'vitest';
import { type GitRun, runGit, splitAtNul } from '#src/vscode/calls/editor/git/run-git.ts';

/** Node stands for git. */
const program = process.execPath;
const git = { program, root: tmpdir() };
const says = (code: string, options: GitRun = {}) => run(() => runGit(git, ['-e', code], options));

it('what git prints is read whole, also a character that comes in two pieces', async () => {
  const code = `process.stdout.write(Buffer.from([0xe2, 0x82]), () => setImmediate(() => process.stdout.write(Buffer.from([0xac]))))`;
  expect(await says(code)).toEqual({ text: '€', cut: false, code: 0 });
});

it('git reads what it is given, in its repository, and takes no lock', async () => {
  const code = `process.stdin.on('data', (given) => console.log(String(given), process.env.GIT_OPTIONAL_LOCKS, process.cwd() === ${JSON.stringify(tmpdir())}))`;
  expect((await says(code, { input: 'patch' })).text).toBe('patch 0 true\n');
});

it('git that has more to say than is wanted is ended, and what it said is cut there', async () => {
  const endless = `setInterval(() => console.log('x'.repeat(1000)), 1)`;
  expect(await says(endless, { most: 1500 })).toEqual({
    text: expect.stringMatching(/^[x\n]{1500}$/),
    cut: true,
    code: 0,
  });
  expect(await says(`process.stdout.write('abc')`, { most: 3 })).toMatchObject({ text: 'abc', cut: false });
});

it('an exit code that says something is given, and any other is a failure in the words of git', async () => {
  expect(await says('process.exit(1)', { codes: [0, 1] })).toEqual({ text: '', cut: false, code: 1 });
  await expect(says(`console.error('fatal: no'); process.exit(1)`)).rejects.toMatchObject({
    message: expect.stringContaining('fatal: no'),
    details: { problem: 'refused' },
  });
  await expect(
    says(`console.error("Unable to create '.git/index.lock'"); process.exit(128)`),
  ).rejects.toMatchObject({
    details: { problem: 'locked' },
  });
});

it('a git that is not there is said to be none', async () => {
  const nowhere = { program: 'parley-has-no-such-git', root: tmpdir() };
  await expect(run(() => runGit(nowhere, []))).rejects.toMatchObject({ details: { problem: 'unavailable' } });
});

it('lists are separated by NUL, which also ends them', () => {
  expect(splitAtNul('a\0b c\0')).toEqual(['a', 'b c']);
  expect(splitAtNul('')).toEqual([]);
});
