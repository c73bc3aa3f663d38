import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { approvedTool } from '#src/mcp/catalog/progressive/approved-tool.ts';
import { needsConfirmation } from '#src/vscode/agents/lm/invocation.ts';

const named = createMcpTool('act').description('Acts.').parameters(z.object({}));
const tools = {
  changing: named.elicits({}).execute(function* () {}),
  reading: named
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {}),
  'changing in the editor': named
    .requires({ editor: true })
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {}),
};

it.each([
  ['changing', true],
  ['reading', false],
  ['changing in the editor', true],
] as const)('a tool that is %s is asked about: %s, wherever it is called', (name, asked) => {
  const tool = tools[name];
  const approve = function* () {
    return true;
  };
  expect(approvedTool(tool, approve) !== tool).toBe(asked);
  expect(needsConfirmation(tool)).toBe(asked);
});
