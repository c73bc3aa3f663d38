/**
 * Makes a release: the version, the changelog, the checks, the `.vsix` and the npm package. It publishes nothing: it prints how to.
 * Run: `npm run release -- 1.2.0`, or `patch`, `minor`, `major`; with `--pre-release`, `--quick` (no long tests) or `--dry-run`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publication } from '../../src/vscode/manifest/publication.ts';
import { translationsIn, untranslated } from '../../src/vscode/manifest/translations.ts';
import { root } from '../paths.ts';
import { releaseChangelog } from './changelog.ts';
import { nextVersion } from './version.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'pre-release': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
});
const dry = values['dry-run'];
const preRelease = values['pre-release'];
const npm = (...args: readonly string[]) => run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);

try {
  release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function release(): void {
  const manifest = JSON.parse(read('package.json')) as { name: string; version: string };
  const [asked] = positionals;
  if (asked === undefined)
    throw new Error('Which version? npm run release -- 1.2.0, or patch, minor or major.');
  const version = nextVersion(manifest.version, asked, preRelease);
  const date = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = releaseChangelog(read('CHANGELOG.md'), version, date);
  if (!dry && git('status', '--porcelain') !== '') throw new Error('Commit or stash what is changed first.');
  const missing = Object.keys(untranslated(translationsIn(new URL('../../', import.meta.url))));
  if (missing.length > 0) {
    throw new Error(
      `Some strings have no translation: l10n/untranslated.json lists those of ${missing.join(', ')}.`,
    );
  }
  if (publication.repository === undefined) {
    console.log(
      'Note: there is no public repository yet (src/vscode/manifest/publication.ts): no links to one.',
    );
  }

  console.log(
    `${manifest.name} ${manifest.version} → ${version}${preRelease ? ', a pre-release' : ''}\n\n${notes}\n`,
  );
  write('CHANGELOG.md', changelog);
  write('package.json', read('package.json').replace(/("version": )"[^"]+"/, `$1"${version}"`));
  write('package-lock.json', lockWith(version));
  npm('run', 'manifest');
  npm('run', 'check');
  if (!values.quick) npm('test');
  npm('run', 'build:types');
  const vsix = `release/${manifest.name}-${version}.vsix`;
  if (!dry) mkdirSync(join(root, 'release'), { recursive: true });
  npm('run', 'package', '--', '--out', vsix, ...(preRelease ? ['--pre-release'] : []));
  npm('pack', '--pack-destination', 'release');
  console.log(howToPublish(manifest.name, version, vsix));
}

function howToPublish(name: string, version: string, vsix: string): string {
  const tag = preRelease ? ' --tag next' : '';
  const vsce = preRelease ? ' --pre-release' : '';
  return `
${dry ? 'Nothing was written or run. Then, by hand' : 'Install and try it by hand. Then'}:

  git commit -am 'chore: release ${version}' && git tag v${version}
  npx vsce publish${vsce} --packagePath ${vsix}        # Visual Studio Marketplace
  npx ovsx publish${vsce} ${vsix}                      # Open VSX
  npm publish release/${name}-${version}.tgz${tag}     # npm: library and command line
  git push --follow-tags`;
}

/** The lockfile holds the version twice. */
function lockWith(version: string): string {
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Record<string, { version?: string }>;
  };
  const own = lock.packages[''];
  if (own) own.version = version;
  return `${JSON.stringify({ ...lock, version }, undefined, 2)}\n`;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function write(file: string, text: string): void {
  console.log(`${dry ? 'would write' : 'write'} ${file}`);
  if (!dry) writeFileSync(join(root, file), text);
}

function run(command: string, args: readonly string[]): void {
  console.log(`${dry ? 'would run' : 'run'} ${[command, ...args].join(' ')}`);
  if (!dry) execFileSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
