// @module-tag long
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from '#test/harness/paths.ts';
import { run } from '#test/harness/process.ts';

const play = join(repoRoot, 'test', 'agents', 'run.ts');

it.for([
  ['claude', 'answers: text$'],
  ['codex', 'set up'],
  ['copilot', 'set up'],
  ['claude', 'hostile'],
  ['codex', 'hostile'],
  ['copilot', 'hostile'],
] as const)(
  '%s, as its makers publish it, plays "%s"',
  { timeout: 600_000 },
  async ([agent, cell], { skip }) => {
    if (process.platform !== 'linux') skip('Agents run in a network of their own, as Linux has them.');
    const { code, output } = await run(process.execPath, [play, agent, '--cell', cell, '--try'], {
      cwd: repoRoot,
    });
    const absent = /is not played: .*|need unshare and ip.*/.exec(output);
    if (absent) skip(absent[0]);
    expect([output, code]).toEqual([expect.stringContaining(': right'), 0]);
  },
);
