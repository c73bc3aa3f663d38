import { createScope } from 'effection';
import { expect, it } from 'vitest';
import { createMcpResourceTemplate } from '#src/core/index.ts';
import { Catalog } from '#src/mcp/catalog/catalog.ts';
import { createWatchers } from '#src/mcp/catalog/watchers.ts';

it('of a template, which has as many addresses as anybody thinks of, so many are watched at once and no more', async () => {
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
  const releases = Array.from({ length: 10_000 }, (_, id) => watchers.retain(`notes://${id}`));
  expect(releases.every((release) => release !== undefined)).toBe(true);
  expect([watchers.full, watchers.retain('notes://new')]).toEqual([true, undefined]);
  // Somebody else may watch what is watched.
  const again = watchers.retain('notes://1');
  expect(again).toBeDefined();
  releases[0]?.();
  expect(watchers.full).toBe(false);
  expect(watchers.retain('notes://new')).toBeDefined();
  await destroy();
});
