import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, ensure, type Operation, until } from 'effection';
import * as z from 'zod';
import { command, run } from './command.ts';
import { changesBetween, compare, lowestOf, stepOf } from './versions.ts';

/** A version that a dependency can be raised to, and what speaks against it. */
export const target = z.object({
  version: z.string(),
  step: z.enum(['major', 'minor', 'patch']),
  /** What its authors say, where they want nobody to use it any more. */
  deprecated: z.string().optional(),
  /** The Node that it needs, where that is newer than the project's. */
  needsNode: z.string().optional(),
  /** What changed up to it, in Markdown; empty where the package does not say. */
  changes: z.string(),
});
/** A dependency that is behind. */
export const outdated = z.object({
  name: z.string(),
  current: z.string(),
  dev: z.boolean(),
  page: z.string().optional(),
  deprecated: z.string().optional(),
  /** The nearest first. */
  targets: z.array(target).readonly(),
});
/** A dependency that is behind. */
export type Outdated = z.infer<typeof outdated>;

const listed = z.record(
  z.string(),
  z.union([
    z.object({ current: z.string().optional(), wanted: z.string(), latest: z.string(), type: z.string() }),
    z.array(z.unknown()),
  ]),
);
const viewed = z.object({
  deprecated: z.string().optional(),
  engines: z.looseObject({ node: z.string().optional() }).optional(),
  'repository.url': z.string().optional(),
});
const project = z.looseObject({ engines: z.looseObject({ node: z.string().optional() }).optional() });

/** More of a changelog nobody reads, characters. */
const LONGEST_CHANGES = 3000;
/** So many packages are asked about at once. */
const AT_ONCE = 6;

/** What is behind in a folder; refuses one with changes that are not committed. */
export function* lookAt(folder: string): Operation<{ head: string; outdated: Outdated[] }> {
  const changed = yield* command(
    folder,
    'git',
    'status',
    '--porcelain',
    '--',
    'package.json',
    'package-lock.json',
  );
  if (changed !== '')
    throw new Error(
      'package.json or package-lock.json has changes. Commit them, or leave them out: git checkout -- package.json package-lock.json && npm install',
    );
  const head = yield* command(folder, 'git', 'rev-parse', 'HEAD');
  const { engines } = project.parse(JSON.parse(yield* until(readFile(join(folder, 'package.json'), 'utf8'))));
  const node = (engines?.node && lowestOf(engines.node)) ?? process.versions.node;
  const behind = yield* behindIn(folder);
  const found: Outdated[] = [];
  for (let from = 0; from < behind.length; from += AT_ONCE) {
    found.push(...(yield* all(behind.slice(from, from + AT_ONCE).map((one) => describe(folder, one, node)))));
  }
  return { head, outdated: found };
}

interface Behind {
  readonly name: string;
  readonly current: string;
  readonly versions: readonly string[];
  readonly dev: boolean;
}

/** What npm calls outdated, of packages that come from a registry. */
function* behindIn(folder: string): Operation<Behind[]> {
  // It ends with 1 where something is.
  const { stdout, said } = yield* run(folder, 'npm', 'outdated', '--json', '--long');
  const isVersion = (text: string) => /^\d+\.\d+\.\d+[\w.+-]*$/.test(text);
  const read = listed.safeParse(readJson(stdout, said));
  if (!read.success) throw new Error(`npm outdated failed in ${folder}: ${said.slice(-2000)}`);
  return Object.entries(read.data).flatMap(([name, one]) => {
    if (Array.isArray(one) || !/^(@[\w.~-]+\/)?[\w.~][\w.~-]*$/.test(name)) return [];
    const { current, wanted, latest, type } = one;
    if (current === undefined) throw new Error(`${name} is not installed: run npm install first.`);
    const versions = [...new Set([wanted, latest])].filter(
      (version) => isVersion(version) && version !== current,
    );
    const isOurs = type === 'dependencies' || type === 'devDependencies';
    return isOurs && isVersion(current) && versions.length > 0
      ? [{ name, current, versions, dev: type === 'devDependencies' }]
      : [];
  });
}

function* describe(
  folder: string,
  { name, current, versions, dev }: Behind,
  node: string,
): Operation<Outdated> {
  const { deprecated, 'repository.url': url } = yield* view(folder, `${name}@${current}`);
  const targets: z.infer<typeof target>[] = [];
  for (const version of versions) {
    const said = yield* view(folder, `${name}@${version}`);
    const needed = said.engines?.node === undefined ? undefined : lowestOf(said.engines.node);
    targets.push({
      version,
      step: stepOf(current, version),
      ...(said.deprecated !== undefined && { deprecated: said.deprecated }),
      ...(needed !== undefined && compare(needed, node) > 0 && { needsNode: needed }),
      changes: changesBetween(yield* changelogOf(folder, `${name}@${version}`), current, version).slice(
        0,
        LONGEST_CHANGES,
      ),
    });
  }
  const page = url?.match(/github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?$/)?.[1];
  return {
    name,
    current,
    dev,
    ...(page !== undefined && { page: `https://github.com/${page}/releases` }),
    ...(deprecated !== undefined && { deprecated }),
    targets,
  };
}

/** What the registry says of a version. */
function* view(folder: string, spec: string): Operation<z.infer<typeof viewed>> {
  // Where only one is there, npm gives it bare: two always are.
  const fields = ['name', 'version', 'deprecated', 'engines', 'repository.url'];
  return viewed.parse(readJson(yield* command(folder, 'npm', 'view', spec, ...fields, '--json'), spec));
}

/** The changelog that a package brings along; empty where it has none. */
function* changelogOf(folder: string, spec: string): Operation<string> {
  const place = yield* until(mkdtemp(join(tmpdir(), 'upgrade-')));
  yield* ensure(() => void rm(place, { recursive: true, force: true }));
  const packed = yield* run(
    folder,
    'npm',
    'pack',
    spec,
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    place,
  );
  const [file] = packed.ok
    ? z.array(z.object({ filename: z.string() })).parse(JSON.parse(packed.stdout))
    : [];
  if (!file) return '';
  for (const name of ['CHANGELOG.md', 'Changelog.md', 'changelog.md', 'HISTORY.md', 'History.md']) {
    const { ok, stdout } = yield* run(place, 'tar', '-xzOf', file.filename, `package/${name}`);
    if (ok) return stdout;
  }
  return '';
}

function readJson(text: string, about: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    throw new Error(`npm did not answer in JSON: ${about.slice(-1000)}`);
  }
}
