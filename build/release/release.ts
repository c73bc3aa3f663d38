/**
 * Makes a release: the version, the changelog, the checks, the `.vsix` and the npm package, each tried as it is published. It publishes
 * nothing: it prints how to. Run: `npm run release -- 1.2.0`, or `patch`, `minor`, `major`, or without for the version that package.json and
 * the changelog have; with `--pre-release`, `--quick` (no tests), or `--dry`, which does all of it in a clean clone that goes away.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publication } from '../../src/vscode/manifest/publication.ts';
import { translationsIn, untranslated } from '../../src/vscode/manifest/translations.ts';
import { NOT_RUN } from '../../test/harness/host/not-run.ts';
import { root } from '../paths.ts';
import { notesOf, releaseChangelog } from './changelog.ts';
import { nextVersion } from './version.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'pre-release': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const preRelease = values['pre-release'];

/** A part of a release: commands one after the other, or why it is left out. */
interface Step {
  readonly name: string;
  readonly run: readonly (readonly string[])[];
  readonly not?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

try {
  if (values.dry) rehearse();
  else release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** What is committed is released in a clean clone: nothing is written here. */
function rehearse(): void {
  const clone = mkdtempSync(join(tmpdir(), 'parley-release-'));
  const must = (command: readonly string[]) => {
    if (run(command, clone) !== 0) throw new Error('The rehearsal ended there: nothing was written here.');
  };
  try {
    must(['git', 'clone', '--quiet', root, clone]);
    const installed = join(root, '.vscode-test');
    if (existsSync(installed)) symlinkSync(installed, join(clone, '.vscode-test'), 'junction');
    must(['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']);
    must([
      'npm',
      'run',
      'release',
      '--',
      ...process.argv.slice(2).filter((argument) => argument !== '--dry'),
    ]);
    console.log('\nThat was a rehearsal, in a clean clone of the last commit. Nothing was written here.');
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

function release(): void {
  const manifest = JSON.parse(read('package.json')) as { name: string; version: string; publisher: string };
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    throw new Error('Commit or stash what is changed first.');
  const missing = Object.keys(untranslated(translationsIn(new URL('../../', import.meta.url))));
  if (missing.length > 0) {
    throw new Error(
      `Some strings have no translation: l10n/untranslated.json lists those of ${missing.join(', ')}.`,
    );
  }
  const [asked] = positionals;
  const version = asked === undefined ? manifest.version : nextVersion(manifest.version, asked, preRelease);
  if (asked === undefined) console.log(`${version}\n\n${notesOf(read('CHANGELOG.md'), version)}\n`);
  else setVersion(manifest.version, version);

  const vsix = join('release', `${manifest.name}-${version}.vsix`);
  const tarball = join('release', `${manifest.name}-${version}.tgz`);
  mkdirSync(join(root, 'release'), { recursive: true });
  const failed = take([
    { name: 'types, style and unused files', run: [['npm', 'run', 'check']] },
    {
      name: 'tests of both rings',
      run: [['npm', 'run', 'test:long']],
      not: values.quick ? '--quick' : undefined,
    },
    { name: 'test:desktop', run: [['npm', 'run', 'test:desktop']] },
    {
      name: 'packages',
      run: [
        ['npm', 'run', 'package', '--', '--out', vsix, ...(preRelease ? ['--pre-release'] : [])],
        ['npm', 'run', 'build:types'],
        ['npm', 'run', 'docs'],
        ['node', 'build/release/package.ts', '--npm', '--out', tarball],
      ],
    },
    {
      name: 'the extension, installed from its package into a fresh profile',
      run: [['npm', 'run', 'test:e2e', '--', 'smoke', 'first-minute']],
      env: { PARLEY_E2E_VSIX: join(root, vsix) },
    },
    {
      name: 'the npm package, installed from a registry on this machine',
      run: [['node', 'build/release/try-package.ts', tarball]],
    },
  ]);
  if (failed) throw new Error('\nThis is no release. git restore . takes back what was written.');
  console.log(onlyAnOwner(manifest.publisher));
  console.log(howToPublish(version, vsix, tarball));
}

function setVersion(before: string, version: string): void {
  const { changelog, notes } = releaseChangelog(
    read('CHANGELOG.md'),
    version,
    new Date().toISOString().slice(0, 10),
  );
  console.log(`${before} → ${version}${preRelease ? ', a pre-release' : ''}\n\n${notes}\n`);
  write('CHANGELOG.md', changelog);
  write('package.json', read('package.json').replace(/("version": )"[^"]+"/, `$1"${version}"`));
  // It holds the version twice, in front of all others.
  let left = 2;
  write(
    'package-lock.json',
    read('package-lock.json').replace(/("version": )"[^"]+"/g, (other, key) =>
      left-- > 0 ? `${key}"${version}"` : other,
    ),
  );
  if (run(['npm', 'run', 'manifest']) !== 0) throw new Error('npm run manifest failed.');
}

/** Takes the steps up to the first that fails, and says what became of all. */
function take(steps: readonly Step[]): boolean {
  let failed = false;
  const lines = steps.map(({ name, run: commands, not, env }) => {
    const reason = failed ? 'a step before it failed' : not;
    if (reason !== undefined) return `–  not run: ${name} (${reason})`;
    for (const command of commands) {
      const code = run(command, root, env);
      if (code === NOT_RUN) return `–  not run: ${name} (it says above why)`;
      if (code !== 0) failed = true;
      if (failed) return `✗  ${name}`;
    }
    return `✓  ${name}`;
  });
  console.log(`\n${lines.join('\n')}`);
  return failed;
}

/** What no script can know. */
function onlyAnOwner(publisher: string): string {
  const fields = [
    ...(publication.repository === undefined
      ? ['the address of the public repository: src/vscode/manifest/publication.ts']
      : []),
    `the publisher '${publisher}' in package.json, as it is registered at the Marketplace and at Open VSX`,
    ...['VSCE_PAT', 'OVSX_PAT']
      .filter((name) => process.env[name] === undefined)
      .map((name) => `the token of that publisher: ${name}`),
    'the login at npm: npm login',
  ];
  return `\nOnly an owner can fill in:\n${fields.map((field) => `   ${field}`).join('\n')}`;
}

function howToPublish(version: string, vsix: string, tarball: string): string {
  const tag = preRelease ? ' --tag next' : '';
  const vsce = preRelease ? ' --pre-release' : '';
  return `
Install ${vsix} and try it by hand. Then:

  git commit -am 'chore: release ${version}' && git tag v${version}
  npx vsce publish${vsce} --packagePath ${vsix}        # Visual Studio Marketplace
  npx ovsx publish${vsce} ${vsix}                      # Open VSX
  npm publish ${tarball}${tag}     # npm: library and command line
  git push --follow-tags`;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function write(file: string, text: string): void {
  console.log(`write ${file}`);
  writeFileSync(join(root, file), text);
}

/** Shows what a command says, and gives its exit code. */
function run(
  [command = '', ...args]: readonly string[],
  cwd = root,
  env: Readonly<Record<string, string>> = {},
): number {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  const shell = process.platform === 'win32';
  return (
    spawnSync(command, args, { cwd, stdio: 'inherit', shell, env: { ...process.env, ...env } }).status ?? 1
  );
}
