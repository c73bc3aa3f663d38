import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { lineFor, titleOf, toolSummary } from '#src/vscode/calls/call-entry.ts';
import { takeWords } from '#src/vscode/calls/shipped/shipped-words.ts';

const toolOf = (name: string) =>
  createMcpTool(name)
    .description('Counts. For models.')
    .parameters(z.object({}))
    .title('Count')
    .elicits({})
    .execute(function* () {
      return 1;
    });

it('a tool that comes with Parley is read as the manifest says it, and says the same to models; others of its name are not', () => {
  const tool = toolOf('count');
  const namesake = toolOf('count');
  const declared = { name: 'count', displayName: 'Zählen', userDescription: 'Zählt für Sie.' };
  takeWords([tool, toolOf('other')], { contributes: { languageModelTools: [declared] } });
  expect([titleOf(tool), lineFor(tool), toolSummary(tool)]).toEqual([
    'Zählen',
    'Zählt für Sie.',
    'Zählt für Sie.',
  ]);
  expect(tool.def).toMatchObject({ title: 'Count', description: 'Counts. For models.' });
  expect([titleOf(namesake), lineFor(namesake), toolSummary(namesake)]).toEqual([
    'Count',
    'Counts.',
    undefined,
  ]);
  takeWords([namesake], {});
  expect(titleOf(namesake)).toBe('Count');
});

it('a shipped tool has its words in an editor that does not translate the manifest', () => {
  const tool = toolOf('count');
  const declared = { name: 'count', displayName: '%tool.count%', userDescription: '%tool.count.user%' };
  const nls = { 'tool.count': 'Count Words', 'tool.count.user': 'Counts for you.' };
  takeWords([tool], { contributes: { languageModelTools: [declared] } }, nls);
  expect([titleOf(tool), lineFor(tool)]).toEqual(['Count Words', 'Counts for you.']);
  const unknown = toolOf('count');
  takeWords([unknown], { contributes: { languageModelTools: [declared] } });
  expect([titleOf(unknown), lineFor(unknown)]).toEqual(['Count', 'Counts.']);
});

it('the manifest says every tool that comes with Parley', async () => {
  const { shippedTools } = await import('#src/tools/definitions.ts');
  const root = new URL('../../../../', import.meta.url);
  const { contributes } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const names = contributes.languageModelTools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(shippedTools.map(({ name }) => name));
});
