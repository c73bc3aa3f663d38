// @module-tag long
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { expect, test } from '../fixture.ts';
import * as panels from '../panel.ts';
import { toolNames } from '../tool-files.ts';
import { askAgent, startMcpServer, useAgent } from './agent.ts';

/** A tool that clients without tasks cannot call. */
const source = `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const ship = createMcpTool('ship_parcel')
  .description('Ships a parcel.')
  .parameters(z.object({}))
  .title('Ship a Parcel')
  .task({ required: true })
  .elicits({ where: z.object({ place: z.string().meta({ title: 'Place' }) }) })
  .execute(function* (_params, ctx) {
    const { place } = yield* ctx.elicit.strict('where', { message: 'Where to?' });
    return 'shipped to ' + place;
  });
`;

describe('a tool whose calls are tasks', () => {
  test('is called by VS Code’s own client of tasks, which looks until it is over', async ({
    page,
    workbench,
    workspace,
  }) => {
    const { bridge } = workbench;
    const file = join(workspace, '.parley', 'tools', 'ship-parcel.ts');
    const name = 'mcp_parley_ship_parcel';
    const known = () => bridge.execute('parley.reloadTools').then(() => toolNames(bridge));
    try {
      // VS Code is connected before there is a tool with tasks.
      await startMcpServer(workbench);
      await writeFile(file, source);
      await expect.poll(known, { timeout: 120_000 }).toContain('ship_parcel');
      await useAgent(workbench);
      await expect.poll(() => startMcpServer(workbench), { timeout: 60_000 }).toContain(name);
      await bridge.execute('parleyDemo.script', [{ toolCalls: [{ name, input: {} }] }]);
      const answer = askAgent(workbench, 'Ship my parcel.');
      const panel = await Promise.race([
        panels.panelShowing(page, 'Ship a Parcel', 'Where to?'),
        answer.then(({ text }) => Promise.reject(new Error(`It did not ask: ${text}`))),
      ]);
      await panels.field(panel, 'Place').fill('Lisbon');
      await panels.button(panel, 'Submit').click();
      const { calls } = await answer;
      expect(calls).toMatchObject([{ result: expect.stringContaining('shipped to Lisbon') }]);
    } finally {
      await rm(file, { force: true });
    }
    await expect.poll(known, { timeout: 120_000 }).not.toContain('ship_parcel');
  });
});
