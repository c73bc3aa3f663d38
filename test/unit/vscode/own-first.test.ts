import { expect, it } from 'vitest';
import { ownFirst } from '#src/vscode/trees/own-first.ts';
import type { ToolSource } from '#src/workspace/registry/tool-source.ts';

const workspace = (id: string): { source: ToolSource } => ({
  source: { kind: 'workspace', id, label: id, folder: `/${id}`, order: 0 },
});
const shipped: { source: ToolSource } = { source: { kind: 'shipped', id: 'parley', label: 'Parley' } };

it('own tools come first, in the order in which they were', () => {
  const listed = [shipped, workspace('a'), workspace('b')];
  expect(ownFirst(listed).map(({ source }) => source.id)).toEqual(['a', 'b', 'parley']);
});
