// npm run attack: the attacks of test/attack, twenty times as long as in `npm test`, with figures and a new seed.
// `npm run attack -- --seed 7 --scale 5 silent` chooses seed, length and file.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { repoRoot } from '../harness/paths.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, scale: { type: 'string', default: '20' } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}, ${values.scale} times as long as in npm test`);
const args = ['exec', 'vitest', '--', 'run', '--config', 'test/mcp/vitest.config.ts'];
const files = positionals.length > 0 ? positionals.map((name) => `test/attack/${name}`) : ['test/attack'];
const child = spawn('npm', [...args, ...files], {
  cwd: repoRoot,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, FC_SEED: seed, PARLEY_ATTACK_SCALE: values.scale },
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
