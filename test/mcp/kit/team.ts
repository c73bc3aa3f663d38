import { join } from 'node:path';
import { startPostgres } from '#test/harness/postgres/postgres.ts';
import { query } from '../../unit/stores/postgres/query.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { root, type Served, serveHttp } from './parley-serve.ts';

const tools = join(root, 'test/mcp/kit/durable-tools.ts');

/** Whom the servers are to PostgreSQL: no more than they have to be. */
export const TEAM = 'team';

/** Servers on one PostgreSQL behind a balancer. */
export interface Team {
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>;
  readonly balancer: Balancer;
  /** Who serves now. */
  readonly servers: readonly Served[];
  /** Starts one more. */
  add(): Promise<Served>;
  /** Ends one with a signal, and takes it from the balancer. */
  end(served: Served, signal: NodeJS.Signals): Promise<number | null>;
  /** Ends all servers. */
  endAll(): Promise<void>;
  close(): Promise<void>;
}

/** Starts PostgreSQL and a balancer; the servers come with `add`. @param folder of the key that they share */
export async function startTeam(folder: string, ...flags: readonly string[]): Promise<Team> {
  const postgres = await startPostgres({ max_connections: '60' });
  const { password } = postgres;
  await query(postgres.url, `create role ${TEAM} login password '${password}'`);
  await query(postgres.url, `grant create on database postgres to ${TEAM}`);
  const servers: Served[] = [];
  const balancer = await startBalancer(() => servers.map(({ url }) => url));
  // Not on the command line, where every process of the machine reads it.
  process.env.PARLEY_STATE_PASSWORD = password;
  const url = postgres.at({ user: TEAM }).replace(`:${password}@`, '@');
  const state = ['--no-token', '--state', url, '--state-key-file', join(folder, 'key')];
  const drop = (served: Served) => {
    const at = servers.indexOf(served);
    if (at >= 0) servers.splice(at, 1);
  };
  const endAll = async () => {
    for (const one of servers.splice(0)) await one.stop('SIGKILL');
  };
  return {
    postgres,
    balancer,
    servers,
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
    endAll,
    async close() {
      delete process.env.PARLEY_STATE_PASSWORD;
      await endAll();
      await balancer.close();
      await postgres.close();
    },
  };
}
