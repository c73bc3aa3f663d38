import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { query } from '../../unit/stores/postgres/query.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { root, type Served, serveHttp } from './parley-serve.ts';

const tools = join(root, 'test/mcp/kit/durable-tools.ts');

/** Whom the servers are to PostgreSQL: no more than they have to be. */
export const TEAM = 'team';

/** Servers on one PostgreSQL behind a balancer. */
export interface Team {
  readonly postgres: Postgres;
  readonly balancer: Balancer;
  /** Who serves now. */
  readonly servers: readonly Served[];
  /** The file in which the tools of this test write down what they do. */
  readonly log: string;
  /** What they have done, line by line. */
  effects(): Promise<readonly string[]>;
  /** Starts one more. */
  add(): Promise<Served>;
  /** Ends one with a signal, and takes it from the balancer. */
  end(served: Served, signal: NodeJS.Signals): Promise<number | null>;
}

/** The team of a file's tests: PostgreSQL and a balancer for all of them; servers come with `add`, and end with their test. */
export function ownTeam(...flags: readonly string[]): Team {
  const servers: Served[] = [];
  let tests = 0;
  let folder: string;
  let postgres: Postgres;
  let balancer: Balancer;
  let state: readonly string[];
  beforeAll(async () => {
    folder = tempFolder();
    postgres = await startPostgres({ max_connections: '60' });
    const { password } = postgres;
    await query(postgres.url, `create role ${TEAM} login password '${password}'`);
    await query(postgres.url, `grant create on database postgres to ${TEAM}`);
    balancer = await startBalancer(() => servers.map(({ url }) => url));
    // Not on the command line, where every process of the machine reads it.
    process.env.PARLEY_STATE_PASSWORD = password;
    const url = postgres.at({ user: TEAM }).replace(`:${password}@`, '@');
    state = ['--no-token', '--state', url, '--state-key-file', join(folder, 'key')];
  });
  beforeEach(() => {
    tests += 1;
  });
  afterEach(async () => {
    for (const one of servers.splice(0)) await one.stop('SIGKILL');
  });
  afterAll(async () => {
    delete process.env.PARLEY_STATE_PASSWORD;
    await balancer.close();
    await postgres.close();
  });
  const drop = (served: Served) => {
    const at = servers.indexOf(served);
    if (at >= 0) servers.splice(at, 1);
  };
  const log = () => join(folder, `log ${tests}`);
  return {
    servers,
    get postgres() {
      return postgres;
    },
    get balancer() {
      return balancer;
    },
    get log() {
      return log();
    },
    effects: async () => (await readFile(log(), 'utf8')).trim().split('\n'),
    async add() {
      const served = await serveHttp([tools], ...state, ...flags);
      served.child.once('exit', () => drop(served));
      servers.push(served);
      return served;
    },
    async end(served, signal) {
      drop(served);
      return await served.stop(signal);
    },
  };
}
