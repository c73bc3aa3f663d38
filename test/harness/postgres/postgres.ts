import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { type Account, type Binaries, postgresBinaries, serverAccount } from './binaries.ts';

/** A PostgreSQL of a test's own. */
export interface Postgres {
  /** Where its database is, with a user who may do everything in it. It stays the same over restarts. */
  readonly url: string;
  readonly password: string;
  /** The address of another of its databases, or with other parts. */
  at(parts: { readonly database?: string; readonly password?: string; readonly user?: string }): string;
  /** Starts it again after `stop`; ready when this ends. */
  start(): Promise<void>;
  /** SIGINT by default: clients are cut off, and it ends. SIGQUIT ends it as a crash does. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Ends it and removes all of it. */
  close(): Promise<void>;
}

/** What a server of tests need not do: it survives the end of its process, not that of the machine. */
const SETTINGS = {
  fsync: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '40',
  shared_buffers: '32MB',
  autovacuum_naptime: '10s',
  log_min_messages: 'fatal',
};

const PASSWORD = 'swordfish';

/**
 * Starts a real PostgreSQL, from npm, in a folder and on a port of its own.
 *
 * @throws when it cannot be started here, with what it said: tests that need it fail then
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'));
  const copies: string[] = [];
  const tidy = async () => {
    for (const path of [folder, ...copies]) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const account = await serverAccount();
    const binaries = await postgresBinaries(account, (copy) => copies.push(copy));
    const data = join(folder, 'data');
    await chmod(folder, 0o700);
    await makeCluster(binaries, account, folder, data);
    const port = await freePort();
    const at: Postgres['at'] = ({ database = 'postgres', password = PASSWORD, user = 'parley' }) =>
      `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
    const all = { ...SETTINGS, port: String(port), ...settings };
    const server = new Server({ binaries, account, data, settings: all, url: at({}) });
    await server.start();
    return {
      url: at({}),
      password: PASSWORD,
      at,
      start: () => server.start(),
      stop: (signal = 'SIGINT') => server.stop(signal),
      async close() {
        await server.stop('SIGQUIT');
        await tidy();
      },
    };
  } catch (error) {
    await tidy();
    throw error;
  }
}

async function makeCluster(
  { program }: Binaries,
  account: Account | undefined,
  folder: string,
  data: string,
): Promise<void> {
  const secret = join(folder, 'password');
  await writeFile(secret, PASSWORD, { mode: 0o600 });
  if (account) {
    await chown(folder, account.uid, account.gid);
    await chown(secret, account.uid, account.gid);
  }
  const options = ['--pgdata', data, '--username', 'parley', '--pwfile', secret, '--auth', 'scram-sha-256'];
  const locale = ['--no-locale', '--encoding', 'UTF8', '--no-sync'];
  await promisify(execFile)(program('initdb'), [...options, ...locale], { cwd: folder, ...account });
}

interface ServerParts {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly data: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly url: string;
}

class Server {
  readonly #command: readonly [string, readonly string[]];
  readonly #account: Account | undefined;
  readonly #url: string;
  #child: ChildProcess | undefined;
  readonly #onExit = () => this.#child?.kill('SIGQUIT');

  constructor({ binaries, account, data, settings, url }: ServerParts) {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#command = [binaries.program('postgres'), ['-D', data, ...options]];
    this.#account = account;
    this.#url = url;
  }

  async start(): Promise<void> {
    const [program, args] = this.#command;
    const child = spawn(program, args, {
      cwd: tmpdir(),
      stdio: ['ignore', 'ignore', 'pipe'],
      ...this.#account,
    });
    this.#child = child;
    process.on('exit', this.#onExit);
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    let gone = false;
    child.once('exit', () => {
      gone = true;
    });
    const begun = Date.now();
    while (!(await answers(this.#url))) {
      if (gone) throw new Error(`PostgreSQL ended while it was starting: ${said}`);
      if (Date.now() - begun > 60_000) throw new Error(`PostgreSQL was not ready after a minute: ${said}`);
      await delay(50);
    }
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    process.off('exit', this.#onExit);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Whether a server there takes clients. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
