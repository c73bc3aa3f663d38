import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { LONG } from '#test/long.ts';
import { query } from '../unit/stores/postgres/query.ts';
import { callOf2025, callOf2026 } from './kit/patient-clients.ts';
import { ownTeam, TEAM } from './kit/team.ts';
import { ask } from './kit/wire.ts';

/** The long form alone has all that can befall it; stores are tried with each in their own tests. */

const team = ownTeam();

const sql = (text: string) => query(team.postgres.url, text);

/** What befalls PostgreSQL; gives what ends it. */
type Trouble = () => Promise<() => Promise<void>>;

const troubles: Readonly<Record<string, Trouble>> = {
  async 'is away for ten seconds'() {
    await team.postgres.stop();
    return async () => {
      await delay(10_000);
      await team.postgres.start();
    };
  },
  async 'crashes and is started again'() {
    await team.postgres.stop('SIGQUIT');
    return () => team.postgres.start();
  },
  async 'has no connection left'() {
    await sql(`alter role ${TEAM} connection limit 0`);
    await sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${TEAM}'`);
    return async () => void (await sql(`alter role ${TEAM} connection limit -1`));
  },
  async 'only reads'() {
    await sql('alter system set default_transaction_read_only = on');
    await sql('select pg_reload_conf()');
    return async () => {
      await sql('alter system reset default_transaction_read_only');
      await sql('select pg_reload_conf()');
    };
  },
  async 'is slow'() {
    const blocker = new pg.Client(team.postgres.url);
    await blocker.connect();
    await blocker.query('begin; lock table parley.calls in access exclusive mode');
    return async () => {
      await blocker.query('rollback');
      await blocker.end();
    };
  },
};

describe('servers whose PostgreSQL', () => {
  it.each(Object.entries(troubles).slice(0, LONG ? undefined : 1))(
    '%s tell who asks, lose nothing that was acknowledged, and go on by themselves',
    async (_, trouble) => {
      await Promise.all([team.add(), team.add()]);
      const children = team.servers.map(({ child }) => child);
      const { url } = team.balancer;
      const ends = new Map<string, string>();
      let begun = 0;
      let isOver = false;
      const client = async () => {
        while (!isOver) {
          const number = begun++;
          const who = `who${number}`;
          const call = { name: 'tally', arguments: { log: team.log, who } };
          ends.set(
            who,
            number % 2 === 1
              ? await callOf2025(url, call, (message) => ({ text: `${message.split(' ')[0]}/${who}` }))
              : await callOf2026(url, call, (key) => ({ text: `${key}/${who}` })),
          );
        }
      };
      const clients = Promise.all(Array.from({ length: 8 }, client));
      await expect.poll(() => ends.size, { timeout: 60_000 }).toBeGreaterThan(8);
      const end = await trouble();
      try {
        const told = async () =>
          (await ask(url, 'tools/call', { name: 'tally', arguments: { log: team.log, who: 'told' } })).error
            ?.message;
        await expect.poll(told, { timeout: 60_000 }).toMatch(/^This server cannot save calls now/);
      } finally {
        await end();
      }
      const before = ends.size;
      await expect.poll(() => ends.size, { timeout: 60_000 }).toBeGreaterThan(before + 8);
      isOver = true;
      await clients;
      for (let number = 0; number < begun; number++) {
        const who = `who${number}`;
        expect(ends.get(who)).toBe(`${who}: first/${who} second/${who} third/${who}`);
      }
      const runs = await team.effects();
      const ids = Map.groupBy(
        runs.map((line) => line.split(' ')),
        ([who]) => who,
      );
      expect(ids.size).toBe(begun);
      // Nobody died, so nothing ran again.
      expect(runs).toHaveLength(begun);
      expect(children.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
    },
  );
});
