import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const module = new URL('../../../src/stores/machine-tab.ts', import.meta.url).href;

/** Takes the tab in the moment in which a file is there, says so, and stays. */
const program = `
  const { existsSync } = await import('node:fs');
  const { MachineTab } = await import(${JSON.stringify(module)});
  const [inbox, go, port] = process.argv.slice(1);
  const tab = new MachineTab(inbox);
  console.log('ready');
  while (!existsSync(go));
  console.log(JSON.stringify(tab.take({ port: Number(port), secret: 's' }) ?? null));
  process.stdin.resume();
`;

test.each([
  ['that nobody had', ''],
  ['of one that has ended', `${JSON.stringify({ pid: 2 ** 30, since: 'then' })}\n{}`],
])('one of several programs that take a tab %s has it, and the others are told', async (_, left) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tab-'));
  const go = join(folder, 'go');
  await mkdir(join(folder, 'inbox'), { mode: 0o700 });
  if (left !== '') await writeFile(join(folder, 'inbox', 'tab'), left);
  const all = [1, 2, 3, 4].map((port) => {
    const args = ['--input-type=module', '-e', program, join(folder, 'inbox'), go, String(port)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    return { port, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { lines } of all) expect(await lines.next()).toMatchObject({ value: 'ready' });
  await writeFile(go, '');
  const said = await Promise.all(
    all.map(async ({ port, lines }) => [port, JSON.parse((await lines.next()).value)] as const),
  );
  const [first, ...more] = said.filter(([, other]) => other === null).map(([port]) => port);
  expect([first, more]).toEqual([expect.any(Number), []]);
  const told = said.filter(([port]) => port !== first).map(([, other]) => other.port);
  expect(told).toEqual([first, first, first]);
  expect(await readdir(join(folder, 'inbox'))).toEqual(['tab']);
});
