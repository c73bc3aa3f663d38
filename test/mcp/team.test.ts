import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { LONG } from '#test/long.ts';
import { callOf2025, callOf2026 } from './kit/patient-clients.ts';
import { ownTeam } from './kit/team.ts';
import { ask, stateless } from './kit/wire.ts';

/** The long form alone has the chaos: a thousand calls while one server after the other is killed. */

const team = ownTeam('--drain', '60');

const three = () => Promise.all([team.add(), team.add(), team.add()]);
const tally = (who: string) => ({ name: 'tally', arguments: { log: team.log, who } });

/** What one answers to the questions of one's own call; to another's, it would be seen. */
const by2026 = (who: string) => (key: string) => ({ text: `${key}/${who}` });
const by2025 = (who: string) => (message: string) => ({
  text: `${message.split(' ')[0]}/${who}${message.endsWith(` of ${who}`) ? '' : ' NOT MINE'}`,
});
const endOf = (who: string) => `${who}: first/${who} second/${who} third/${who}`;

describe('three servers on one PostgreSQL behind a balancer', () => {
  it('serve each leg of a call in turn, and its step runs once', async () => {
    await three();
    const ends = await Promise.all(
      ['a', 'b', 'c', 'd'].map((who) => callOf2026(team.balancer.url, tally(who), by2026(who))),
    );
    expect(ends).toEqual(['a', 'b', 'c', 'd'].map(endOf));
    expect((await team.effects()).map((line) => line.split(' ')[0]).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  if (LONG)
    it('lose no call and mix none up while they are killed and started again', {
      timeout: 900_000,
    }, async () => {
      await three();
      const [calls, kills] = [1000, 50];
      const clients = 8;
      let killed = 0;
      let isOver = false;
      const chaos = (async () => {
        // No faster than one comes back: two of three are always there.
        while (!isOver) {
          const [oldest] = team.servers;
          if (oldest) await team.end(oldest, 'SIGKILL');
          killed += 1;
          await team.add();
        }
      })();
      let begun = 0;
      const ends = new Map<string, string>();
      const client = async () => {
        while (begun < calls || killed < kills) {
          const number = begun++;
          const who = `who${number}`;
          const { url } = team.balancer;
          const call = tally(who);
          ends.set(
            who,
            number % 2 === 1
              ? await callOf2025(url, call, by2025(who))
              : await callOf2026(url, call, by2026(who)),
          );
        }
      };
      const done = await Promise.allSettled(Array.from({ length: clients }, client));
      isOver = true;
      await chaos;
      expect(done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
      for (let i = 0; i < begun; i += 1) expect(ends.get(`who${i}`)).toBe(endOf(`who${i}`));
      // Once each; one that was under way when its server died ran again, under the same id.
      const counted = Map.groupBy(
        (await team.effects()).map((line) => line.split(' ')),
        ([who]) => who,
      );
      expect(counted.size).toBe(begun);
      for (const [who, runs] of counted) {
        // A client of 2025-11-25 whose server dies begins a call anew.
        if (Number(who?.slice(3)) % 2 === 1) continue;
        expect(new Set(runs.map(([, id]) => id)).size).toBe(1);
        // An attempt of which nothing is here was interrupted before it did anything.
        const attempts = runs.map(([, , attempt]) => Number(attempt));
        expect(attempts).toEqual([...new Set(attempts)].sort((one, other) => one - other));
      }
    });
});

describe('a server of a team', () => {
  const statusOf = (url: URL, path: string) => async () => (await fetch(new URL(path, url))).status;

  it('says whether it lives and takes calls: not while they cannot be kept, and then again', async () => {
    const { url, stderr } = await team.add();
    await expect.poll(statusOf(url, '/ready')).toBe(200);
    await team.postgres.stop();
    await expect.poll(statusOf(url, '/ready'), { timeout: 30_000 }).toBe(503);
    expect(await statusOf(url, '/health')()).toBe(200);
    const refused = await ask(url, 'tools/call', tally('x'));
    expect(refused.error.message).toBe('This server cannot save calls now: try again later');
    await team.postgres.start();
    await expect.poll(statusOf(url, '/ready'), { timeout: 30_000 }).toBe(200);
    expect(await callOf2026(url, tally('x'), by2026('x'))).toBe(endOf('x'));
    await expect.poll(stderr).toMatch(/calls cannot be saved in postgres:\/\/127/);
    expect(stderr()).not.toContain(team.postgres.password);
  });

  it('that is stopped answers what runs, takes nothing new, and ends', async () => {
    const [served, other] = [await team.add(), await team.add()];
    const go = `${team.log} go`;
    const call = { name: 'linger', arguments: { log: team.log, go } };
    const { result } = await ask(served.url, 'tools/call', call);
    const inputResponses = { name: { action: 'accept', content: { name: 'ann' } } };
    const running = ask(served.url, 'tools/call', {
      ...call,
      requestState: result.requestState,
      inputResponses,
    });
    await expect.poll(() => team.effects().catch(() => [])).toEqual(['begun']);
    const ended = team.end(served, 'SIGTERM');
    await expect.poll(statusOf(served.url, '/ready')).toBe(503);
    const refused = await stateless(served.url, 'tools/list');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await writeFile(go, '');
    expect((await running).result).toMatchObject({ content: [{ text: 'hello ann' }] });
    expect(await ended).toBe(0);
    expect((await ask(other.url, 'tools/list')).result.tools.length).toBeGreaterThan(0);
  });
});
