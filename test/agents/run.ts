// npm run agents: plays questions in real agents, offline, with a model that does what it is told. `-- claude codex` names agents, `--cell late`
// cells. What came of them is in test/agents/found.json and docs/where-it-runs.md; a run that is cut short goes on there. `--try` writes
// nothing, and fails when a cell is not right. `--first` says instead how long the first answered question takes each agent, where npx has
// to install Parley before.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defined } from '#src/core/schema/defined.ts';
import manifest from '../../package.json' with { type: 'json' };
import { builtCli, repoRoot, resultsRoot } from '../harness/paths.ts';
import { type Agent, agents } from './agent.ts';
import { type Cell, cellsOf, firstQuestion, type Outcome } from './cells.ts';
import { type DeskParts, setDesk } from './desk.ts';
import { install, installed } from './install.ts';
import { keepPackages, packageRegistry } from './packages.ts';
import { type Found, writePage } from './page.ts';
import { killAllOf } from './processes.ts';
import { serveModel } from './scripted-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cell: { type: 'string', default: '' },
    anew: { type: 'boolean', default: false },
    try: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
  },
});
const chosen = agents.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

/** What a registry on this machine has for npx. */
const packages = join(resultsRoot, 'agents', 'packages.json');

/** Set in the run that has a network of its own. */
const OFFLINE = 'PARLEY_AGENTS_OFFLINE';

if (!existsSync(builtCli)) throw new Error('There is no dist/cli.js: run npm run build first.');
if (process.env[OFFLINE] === undefined) {
  // What cannot be installed is said, and the others are played.
  for (const agent of chosen) await install(agent).catch((error) => console.error(String(error)));
  if (values.first) await keepPackages(packages);
  const itself = [process.execPath, import.meta.filename, ...process.argv.slice(2)];
  const alone = spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...itself], {
    stdio: 'inherit',
    env: { ...process.env, [OFFLINE]: '1' },
  });
  if (alone.error !== undefined)
    throw new Error(
      'The agents run in a network of their own, with the loopback alone: they need unshare and ip, as Linux has them.',
    );
  process.exitCode = alone.status ?? 1;
} else if (values.first) {
  await playFirst();
} else {
  await play();
}

async function play(): Promise<void> {
  const file = join(import.meta.dirname, 'found.json');
  const parley = createHash('sha256').update(readFileSync(builtCli)).digest('hex').slice(0, 12);
  const found: Found = existsSync(file) && !values.try ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const write = () => {
    if (!values.try) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  };
  let wrong = 0;
  for (const agent of chosen) {
    const { id, name: called } = agent;
    const { version } = agent.npm;
    if (!existsSync(installed(agent))) {
      console.log(`${called} ${version} is not played: it could not be installed`);
      found[id] = { name: called, version, parley, absent: 'npm could not install it', cells: {} };
      write();
      continue;
    }
    const old = found[id];
    const goesOn = old?.version === version && old.parley === parley && !values.anew;
    const cells: Record<string, Outcome> = goesOn ? { ...old.cells } : {};
    for (const [name, cell] of Object.entries(cellsOf(agent))) {
      if (!new RegExp(values.cell).test(name) || cells[name] !== undefined) continue;
      cells[name] = await playCell(agent, name, cell);
      if (cells[name].is !== 'right') wrong += 1;
      console.log(`${called}: ${name}: ${cells[name].is}  ${cells[name].heard.slice(0, 120)}`);
      found[id] = { name: called, version, parley, cells };
      write();
    }
  }
  if (values.try) {
    process.exitCode = wrong === 0 ? 0 : 1;
    return;
  }
  writePage(found, join(repoRoot, 'docs', 'where-it-runs.md'));
  const all = Object.values(found).flatMap(({ cells }) => Object.values(cells));
  const count = (is: Outcome['is']) => all.filter((one) => one.is === is).length;
  console.log(`${count('right')} right, ${count('in words')} refused in words, ${count('wrong')} wrong`);
}

async function playFirst(): Promise<void> {
  const registry = await packageRegistry(packages);
  for (const agent of chosen) {
    const cache = mkdtempSync(join(tmpdir(), 'parley-npm-'));
    // As setup writes it: the repository that this is played in is a package of that name, too.
    const npx = ['npm', 'exec', '--yes', '--prefix', cache, '--cache', cache, manifest.name] as const;
    const { is, heard } = await playCell(agent, 'first', firstQuestion, npx, registry.settings);
    console.log(`${agent.name}: ${is}  ${heard}`);
    rmSync(cache, { recursive: true, force: true });
    if (is !== 'right') process.exitCode = 1;
  }
  registry.close();
}

async function playCell(
  agent: Agent,
  name: string,
  cell: Cell,
  npx?: DeskParts['server'],
  npmrc?: string,
): Promise<Outcome> {
  const model = await serveModel();
  const tools = join(import.meta.dirname, 'workspace');
  const served = cell.inside
    ? [join(import.meta.dirname, 'inline-server.ts'), cell.inside]
    : [builtCli, ...(cell.hostile ? [] : ['serve', tools])];
  const server = [process.execPath, ...served] as const;
  const desk = setDesk({
    agent,
    folder: join(resultsRoot, 'agents', agent.id, name.replaceAll(/\W+/g, '-')),
    installed: installed(agent),
    model: model.address,
    server: npx ?? server,
    person: !cell.noPerson,
    bySetup: cell.bySetup ? tools : undefined,
    ...defined({ npmrc }),
    trusts: !cell.hostile,
  });
  try {
    return await cell.play({ agent, desk, model });
  } catch (error) {
    return { is: 'wrong', heard: String(error instanceof Error ? error.message : error) };
  } finally {
    killAllOf(desk.home);
    await model.close();
  }
}
