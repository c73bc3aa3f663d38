import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { ToolRequirements } from '#src/core/tool/tool.ts';
import { chainTool } from '#src/mcp/catalog/progressive/chain.ts';

const requiring = (requires: ToolRequirements) =>
  createMcpTool('step')
    .description('d')
    .parameters(z.object({}))
    .requires(requires)
    .elicits({})
    .execute(function* () {});

it.each<[string, ToolRequirements[], ToolRequirements['elicitation']]>([
  ['nothing', [{}], false],
  ['forms', [{}, { elicitation: true }], true],
  ['forms, by their name', [{ elicitation: { form: true } }], true],
  ['pages', [{ elicitation: { url: true } }, {}], { url: true }],
  ['both', [{ elicitation: { url: true } }, { elicitation: true }], { form: true, url: true }],
])('a chain requires all ways to ask that one of its steps does: %s', (_what, steps, elicitation) => {
  const chain = chainTool(requiring({}), [], {
    known: steps.map(requiring),
    *find() {
      throw new Error('no step runs');
    },
  });
  expect(chain.def.requires.elicitation).toEqual(elicitation);
});
