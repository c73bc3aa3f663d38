import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { ownFirst } from '#src/vscode/authoring/tools/own-first.ts';
import { byTitle } from '#src/vscode/calls/call-entry.ts';
import type { ToolSource } from '#src/workspace/registry/tool-source.ts';

const workspace = (id: string): { source: ToolSource } => ({
  source: { kind: 'workspace', id, label: id, folder: `/${id}`, order: 0 },
});
const shipped: { source: ToolSource } = { source: { kind: 'shipped', id: 'parley', label: 'Parley' } };

it('own tools come first, in the order in which they were', () => {
  const listed = [shipped, workspace('a'), workspace('b')];
  expect(ownFirst(listed).map(({ source }) => source.id)).toEqual(['a', 'b', 'parley']);
});

it('tools are listed by title, and by name where they have none', () => {
  const listed = ['zebra', 'b', 'C', 'a'].map((name) => {
    const begun = createMcpTool(name).description('Is listed.').parameters(z.object({}));
    const titled = name === 'zebra' ? begun.title('Alpha') : begun;
    return { tool: titled.elicits({}).execute(function* () {}) };
  });
  expect(byTitle(listed).map(({ tool }) => tool.name)).toEqual(['a', 'zebra', 'b', 'C']);
});
