import { createScope } from 'effection';
import { expect, it } from 'vitest';
import { createMcpResourceTemplate } from '#src/core/index.ts';
import { Catalog } from '#src/mcp/catalog/catalog.ts';
import { createWatchers } from '#src/mcp/catalog/watchers.ts';

function watching() {
  const notes = createMcpResourceTemplate('notes://{id}', 'Notes').read(function* ({ id }) {
    return id;
  });
  const [scope, destroy] = createScope();
  const catalog = new Catalog({ tools: [], resources: [notes] });
  const watchers = createWatchers(
    scope,
    catalog,
    () => {},
    () => {},
  );
  return { watchers, destroy };
}

it('of a template, which has as many addresses as anybody thinks of, so many are watched at once and no more', async () => {
  const { watchers, destroy } = watching();
  const releases = Array.from({ length: 10_000 }, (_, id) => watchers.retain(`notes://${id}`, `p${id}`));
  expect(releases.every((release) => release !== undefined)).toBe(true);
  expect([watchers.isFull('ann'), watchers.retain('notes://new', 'ann')]).toEqual([true, undefined]);
  // Somebody else may watch what is watched.
  const again = watchers.retain('notes://1', 'ann');
  expect(again).toBeDefined();
  releases[0]?.();
  expect(watchers.isFull('ann')).toBe(false);
  expect(watchers.retain('notes://new', 'ann')).toBeDefined();
  await destroy();
});

it('leave as many addresses to others as one principal has, whoever comes first', async () => {
  const { watchers, destroy } = watching();
  const all = (principal: string) =>
    Array.from({ length: 10_000 }, (_, id) =>
      watchers.retain(`notes://${principal}-${id}`, principal),
    ).flatMap((release) => release ?? []);
  const ofEve = all('eve');
  expect(ofEve.length).toBe(5_000);
  expect([watchers.isFull('eve'), watchers.isFull('ann')]).toEqual([true, false]);
  expect(all('ann').length).toBe(2_500);
  for (const release of ofEve) release();
  expect(all('eve').length).toBe(3_750);
  await destroy();
});
