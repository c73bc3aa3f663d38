import type { Operation } from 'effection';
import { command, run } from './command.ts';
import type { Outdated } from './look.ts';

/** A dependency and the version that it is raised to. */
export interface Upgrade {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const FILES = ['package.json', 'package-lock.json'];
const QUIET = ['--no-audit', '--no-fund'];
/** More of what tests say nobody reads here, characters. */
const LONGEST_OUTPUT = 3000;

/** Installs it, with the range that the project writes for it; gives what npm has against it, or nothing. */
export function* installed(folder: string, { name, to }: Upgrade): Operation<string | null> {
  yield* discarded(folder);
  const spec = yield* command(folder, 'npm', 'pkg', 'get', `dependencies.${name}`, `devDependencies.${name}`);
  const prefix = /"([~^]?)\d/.exec(spec)?.[1] ?? '^';
  const range = prefix === '' ? ['--save-exact'] : [`--save-prefix=${prefix}`];
  const { ok, said } = yield* run(folder, 'npm', 'install', `${name}@${to}`, ...range, ...QUIET);
  return ok ? null : said.slice(-LONGEST_OUTPUT);
}

/** Runs the tests; gives what they say where they are red, or nothing. */
export function* redIn(folder: string, script: string): Operation<string | null> {
  const { ok, said } = yield* run(folder, 'npm', 'run', script);
  return ok ? null : said.slice(-LONGEST_OUTPUT);
}

/** Commits it, and nothing else; gives what is before and after. Again after a crash, it finds the commit that it made. */
export function* committed(
  folder: string,
  { name, from, to }: Upgrade,
  before: string,
): Operation<{ before: string; made: string }> {
  const subject = `Upgrade ${name} from ${from} to ${to}`;
  const [head, parent, last] = (yield* command(folder, 'git', 'log', '-1', '--format=%H%n%P%n%s')).split(
    '\n',
  );
  if (head !== before) {
    if (parent === before && last === subject) return { before, made: head ?? '' };
    throw new Error(
      'Something else was committed meanwhile. What was upgraded before is committed; run it again for the rest.',
    );
  }
  yield* command(folder, 'git', 'commit', '-m', subject, '--only', '--', ...(yield* tracked(folder)));
  return { before, made: yield* command(folder, 'git', 'rev-parse', 'HEAD') };
}

/** Takes a commit back, unless something else was committed on it. */
export function* uncommitted(
  folder: string,
  { before, made }: { before: string; made: string },
): Operation<void> {
  const head = yield* command(folder, 'git', 'rev-parse', 'HEAD');
  if (head === before) return;
  if (head !== made)
    throw new Error(`Something was committed after ${made.slice(0, 9)}: revert that by hand.`);
  yield* command(folder, 'git', 'reset', '--keep', before);
}

/** Gives both files back as they were committed. */
export function* discarded(folder: string): Operation<void> {
  yield* command(folder, 'git', 'checkout', '--', ...(yield* tracked(folder)));
}

/** Makes `node_modules` what the files say. */
export function* reinstalled(folder: string): Operation<void> {
  yield* discarded(folder);
  yield* command(folder, 'npm', 'install', ...QUIET);
}

function* tracked(folder: string): Operation<string[]> {
  return (yield* command(folder, 'git', 'ls-files', '--', ...FILES))
    .split('\n')
    .filter((file) => file !== '');
}

/** What a line such as `react@19.0.0` means; a text where it means nothing. */
export function upgradeOf(line: string, outdated: readonly Outdated[]): Upgrade | string {
  const [, name, to] = /^\s*(@?[^@\s]+)@(\S+)/.exec(line) ?? [];
  const found = outdated.find((one) => one.name === name);
  if (!found)
    return `“${line.slice(0, 80)}” is none of these: write a line such as ${outdated[0]?.name}@${outdated[0]?.targets[0]?.version}.`;
  const versions = found.targets.map(({ version }) => version);
  if (to === undefined || !versions.includes(to))
    return `${found.name} can be raised to ${versions.join(' or ')}, and not to ${to}.`;
  return { name: found.name, from: found.current, to };
}
