import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStore, createSqliteStore } from '#src/stores/index.ts';
import { tempFolder } from '#test/temp-folder.ts';
import {
  client2025,
  client2026,
  inBrowser,
  inbox,
  type Joins,
  type OnSurface,
  onlyCall,
  type Place,
  panel,
  startPlace,
  stop,
  task2026,
  tools,
} from './surfaces.ts';

const beginning = [client2025, client2026, task2026, inBrowser, panel];
const joining: readonly Joins[] = [panel, inbox];

async function start(...args: Parameters<typeof startPlace>): Promise<Place> {
  const place = await startPlace(...args);
  onTestFinished(() => place.close());
  return place;
}

/** Where the first surface is, and where the second. */
const settings: readonly (readonly [string, () => Promise<readonly [Place, Place]>])[] = [
  [
    'in memory',
    async () => {
      const place = await start(tools.pinned);
      return [place, place];
    },
  ],
  [
    'in a store',
    async () => {
      const place = await start(tools.durable, createMemoryStore());
      return [place, place];
    },
  ],
  [
    'at two processes on one store',
    async () => {
      const store = createMemoryStore();
      return [await start(tools.durable, store), await start(tools.durable, store)];
    },
  ],
  [
    'at two processes on one folder',
    async () => {
      const folder = tempFolder();
      const keys = [randomBytes(32)];
      const process = () => start(tools.durable, createSqliteStore({ folder, keys }));
      return [await process(), await process()];
    },
  ],
  [
    'that cannot move, at two processes on one store',
    async () => {
      const store = createMemoryStore();
      return [await start(tools.pinned, store), await start(tools.pinned, store)];
    },
  ],
  [
    'that cannot move, at two processes on one folder',
    async () => {
      const folder = tempFolder();
      const keys = [randomBytes(32)];
      const process = () => start(tools.pinned, createSqliteStore({ folder, keys }));
      return [await process(), await process()];
    },
  ],
];

/** A call on two surfaces that both ask. */
interface Met {
  readonly first: OnSurface;
  readonly second: OnSurface;
  readonly places: readonly [Place, Place];
  readonly name: Awaited<ReturnType<typeof onlyCall>>;
}

const pairs = settings.flatMap(([where, placed]) =>
  beginning.flatMap((one) =>
    joining.flatMap((other) => {
      // Who holds a call elsewhere is waited for.
      if (where.includes('two') && one.holds && other.holds) return [];
      if (where.includes('cannot move') && other.holds) return [];
      const meet = async (): Promise<Met> => {
        const [here, there] = await placed();
        const first = await one.begin(here);
        await first.asked(1);
        const name = await onlyCall(here);
        const second = await other.join(there, name);
        await second.asked(1);
        return { first, second, places: [here, there], name };
      };
      return [[`${one.name} and ${other.name}, ${where}`, meet] as const];
    }),
  ),
);

/** Both say so at the end, or see that there is no such call any more. */
async function expectEnd({ first, second }: Met, end: unknown): Promise<void> {
  const [told, seen] = [await first.ended(), await second.ended()];
  expect(told).toEqual(end);
  if (seen !== undefined) expect(seen).toEqual(end);
}

describe.each(pairs)('a call on %s', (_, meet) => {
  test('is answered by the first', async () => {
    const met = await meet();
    await met.first.answer(3);
    await met.second.closed();
    await expectEnd(met, 'row 3');
  });

  test('is answered by the second', async () => {
    const met = await meet();
    await met.second.answer(4);
    await met.first.closed();
    await expectEnd(met, 'row 4');
  });

  test('asks again at both what the first has answered wrongly', async () => {
    const met = await meet();
    const { first, second } = met;
    await first.answer(0);
    await Promise.all([first.asked(2), second.asked(2)]);
    await second.answer(5);
    await expectEnd(met, 'row 5');
  });

  test('asks again at both what the second has answered wrongly', async () => {
    const met = await meet();
    const { first, second } = met;
    await second.answer(0);
    await Promise.all([first.asked(2), second.asked(2)]);
    await first.answer(6);
    await expectEnd(met, 'row 6');
  });

  test('ends at both when a third stops it', async () => {
    const met = await meet();
    expect(await stop(met.places[1], met.name)).toBe('left');
    await Promise.all([met.first.closed(), met.second.closed()]);
    await expectEnd(met, expect.stringMatching(/abort|enough/));
  });
});

describe.each(
  [client2025, panel].flatMap((one) =>
    settings
      .filter(([where]) => !where.includes('cannot move'))
      .map(([where, placed]) => [one.name, where, one, placed] as const),
  ),
)('a call on %s that a panel is attached to as well, %s', (_, where, one, placed) => {
  test('goes on there when the first is gone', async () => {
    const [here, there] = await placed();
    const first = await one.begin(here);
    await first.asked(1);
    const name = await onlyCall(here);
    // There it is found in the store.
    await (await inbox.join(there, name)).asked(1);
    const second = await panel.join(there, name);
    // Who has it is another process: the panel is asked when that one stops.
    if (here === there) {
      await second.asked(1);
      await first.die();
    } else {
      await here.close();
      await second.asked(1);
    }
    await second.answer(7);
    expect(await second.ended(), where).toBe('row 7');
  });
});

/** A call that a client of 2025-11-25 was asked for the first time. */
async function asked(place: Place) {
  const client = await client2025.begin(place);
  await client.asked(1);
  return { client, name: await onlyCall(place) };
}

describe('a call of a client of 2025-11-25', () => {
  test('is answered from an inbox once its server has stopped', async () => {
    const folder = tempFolder();
    const store = createSqliteStore({ folder, keys: [randomBytes(32)] });
    const [here, there] = [await start(tools.durable, store), await start(tools.durable, store)];
    const { name } = await asked(here);
    await here.close();
    const left = await inbox.join(there, name);
    await left.asked(1);
    expect(await left.answer(4)).toBe('left');
    expect(await (await panel.join(there, name)).ended()).toBe('row 4');
    expect(await left.ended()).toBe('row 4');
  });

  test('ends with its client, where nobody else is attached', async () => {
    for (const place of [await start(tools.pinned), await start(tools.durable, createMemoryStore())]) {
      const { client, name } = await asked(place);
      const left = await inbox.join(place, name);
      await left.asked(1);
      await client.die();
      expect([undefined, 'error']).toContain(await left.ended());
    }
  });

  test('takes the same message once, other words under its id never, and none after its end', async () => {
    const place = await start(tools.durable, createMemoryStore());
    const { client, name } = await asked(place);
    const { host, calls } = place;
    const answers = { row: { action: 'accept', content: { row: 0 } } };
    const send = (id: string, digest: string) =>
      host.run(() => calls.calls.send(name, { id, digest, answers }));
    expect(await send('one', 'x')).toBe('left');
    expect(await send('one', 'x')).toBe('again');
    expect(await send('one', 'y')).toBe('other');
    await client.asked(2);
    await client.answer(5);
    expect(await client.ended()).toBe('row 5');
    expect(await send('one', 'x')).toBe('again');
    expect(await send('two', 'x')).toBe('closed');
  });
});
