import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../root.ts';
import { startRegistry, type TestRegistry } from './registry.ts';

/** A folder as the user of a pack has it. */
export interface PackFolder extends AsyncDisposable {
  readonly folder: string;
  /** What a program printed there. */
  run(program: string, ...args: string[]): string;
  write(path: string, text: string): void;
}

/** The same, with a registry beside it. */
export interface NpmFolder extends PackFolder {
  readonly registry: TestRegistry;
}

/** An empty folder. */
export function packFolder(name: string): PackFolder {
  const home = mkdtempSync(join(tmpdir(), 'parley-pack-'));
  const folder = join(home, name);
  mkdirSync(folder);
  return {
    folder,
    run: (program, ...args) =>
      execFileSync(program, args, {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    async [Symbol.asyncDispose]() {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A package with one release, a remote, and a commit since. */
export async function folderToRelease(
  subject = "feat: a pot; $(touch hacked) `touch hacked` 'quoted'",
): Promise<NpmFolder> {
  const made = await besideRegistry(packFolder('tea'));
  const { run, write, registry } = made;
  run('git', 'init', '-q', '--bare', '../remote.git');
  git(made);
  run('git', 'remote', 'add', 'origin', '../remote.git');
  const published = { name: 'tea', version: '1.0.0', publishConfig: { registry: registry.url } };
  write('package.json', JSON.stringify(published, null, 2));
  write('.npmrc', `${registry.url.replace('http:', '')}:_authToken=secret\n`);
  write('index.js', 'export const tea = 1;\n');
  run('git', 'add', '.');
  run('git', 'commit', '-q', '-m', 'Begin');
  run('git', 'tag', 'v1.0.0');
  run('git', 'push', '-q', '-u', 'origin', 'main');
  write('pot.js', 'export const pot = 1;\n');
  run('git', 'add', '.');
  run('git', 'commit', '-q', '-m', subject);
  return made;
}

/** A package whose dependencies are behind: `kettle` harmlessly, `cup` so that its test fails, `spoon` deprecated. */
export async function folderToUpgrade(): Promise<NpmFolder> {
  const made = await besideRegistry(packFolder('tea'));
  const { folder, run, write, registry } = made;
  const says = (word: string) => ({ 'index.js': `module.exports = '${word}';` });
  for (const name of ['kettle', 'cup', 'spoon']) registry.put({ name, version: '1.0.0' }, says(name));
  const manifest = {
    name: 'tea',
    version: '1.0.0',
    engines: { node: '>=18' },
    scripts: { test: 'node test.js' },
    dependencies: { kettle: '~1.0.0', cup: '1.0.0' },
    devDependencies: { spoon: '^1.0.0' },
  };
  write('package.json', JSON.stringify(manifest));
  const leaks = "if (require('cup') !== 'cup') throw new Error('a cup that leaks');";
  write('test.js', `require('kettle'); require('spoon'); ${leaks}`);
  write('.npmrc', `registry=${registry.url}\ncache=${join(folder, '.cache')}\n`);
  write('.gitignore', 'node_modules\n.cache\n');
  // The registry is in this process: it has to have its turn.
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  git(made);
  run('git', 'add', '.');
  run('git', 'commit', '-q', '-m', 'Begin');
  const changelog = '# Changes\n\n## 1.1.0\n\n- whistles\n\n### Fixed\n\n- a drip\n\n## 1.0.0\n\n- boils\n';
  registry.put({ name: 'kettle', version: '1.1.0' }, { ...says('kettle'), 'CHANGELOG.md': changelog });
  registry.put({ name: 'cup', version: '2.0.0' }, says('mug'));
  // npm passes what is deprecated, unless all of it is.
  for (const version of ['1.0.0', '1.0.1'])
    registry.put(
      { name: 'spoon', version, deprecated: 'use a fork', engines: { node: '>=19' } },
      says('spoon'),
    );
  return made;
}

/** Tests of Vitest, of which one fails every second time, and one always. */
export function folderWithFlakyTests(): PackFolder {
  const made = packFolder('tea');
  symlinkSync(join(root, 'node_modules'), join(made.folder, 'node_modules'));
  made.write('package.json', '{"type":"module"}');
  made.write(
    'odd.test.js',
    `import { readFileSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    test('is even', () => {
      let runs = 0;
      try { runs = Number(readFileSync('runs', 'utf8')); } catch {}
      writeFileSync('runs', String(runs + 1));
      expect(runs % 2).toBe(0);
    });
    test('is fine', () => {});
    test('is broken', () => expect(1).toBe(2));`,
  );
  return made;
}

/** A folder with a SQLite database that is not there yet, and two migrations of it. */
export function folderToMigrate(): PackFolder {
  const made = packFolder('shop');
  made.write('migrations/001_tea.sql', 'CREATE TABLE tea (id INTEGER PRIMARY KEY, name TEXT NOT NULL);');
  made.write(
    'migrations/002_stock.sql',
    'ALTER TABLE tea ADD COLUMN stock INTEGER NOT NULL DEFAULT 0;\nUPDATE tea SET stock = 1;',
  );
  return made;
}

async function besideRegistry(made: PackFolder): Promise<NpmFolder> {
  const registry = await startRegistry();
  return {
    ...made,
    registry,
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
    },
  };
}

function git({ run }: PackFolder): void {
  run('git', 'init', '-q', '-b', 'main');
  run('git', 'config', 'user.name', 'Ada');
  run('git', 'config', 'user.email', 'ada@example.com');
}
