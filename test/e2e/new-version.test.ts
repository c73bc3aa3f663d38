// @module-tag long
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { writeTool } from './tool-files.ts';

/** A tool that asks twice; `version` is what its second question and its result say. */
const source = (version: string) => `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const answer = z.object({ text: z.string().meta({ title: 'Your answer' }) });

export const versioned = createMcpTool('versioned')
  .description('Asks twice.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Versioned')
  .requires({ elicitation: true })
  .elicits({ first: answer, second: answer })
  .execute(function* (_params, ctx) {
    const first = yield* ctx.elicit('first', { message: 'First question' });
    const second = yield* ctx.elicit('second', { message: 'Second question, ${version}' });
    return [first, second].map((one) => (one.action === 'accept' ? one.content.text : one.action)).concat('${version}');
  });
`;

describe('a tool that is saved while its call waits', () => {
  test('goes on as its new version when the person wants it, and asks nothing twice', async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tools', 'versioned.ts');
    const known = () => bridge.execute('parley.reloadTools').then(() => names());
    const names = () =>
      bridge.evaluate(
        (api) => api.extensions.getExtension('parley.parley-mcp')?.exports.getApi(1).tools() as string[],
        undefined,
      );
    try {
      await writeFile(file, source('old'));
      await expect.poll(known, { timeout: 120_000 }).toContain('versioned');
      const ended = bridge.execute('parley.runTool', 'versioned');
      const panel = await panels.panelShowing(page, 'Versioned', 'First question');
      await panels.field(panel, 'Your answer').fill('Ada');
      await panels.button(panel, 'Submit').click();
      await panel.getByText('Second question, old').first().waitFor();

      const another = panels.button(panel, 'Continue with the New Version');
      await writeTool(bridge, file, source('tried'));
      await another.waitFor();
      // Taken back, it is what the call has.
      await writeTool(bridge, file, source('old'));
      await another.waitFor({ state: 'detached' });

      await writeTool(bridge, file, source('new'));
      await another.click();
      await panel.getByText('Second question, new').first().waitFor();
      await panels.field(panel, 'Your answer').fill('Lovelace');
      await panels.button(panel, 'Submit').click();
      expect(await ended).toEqual(['Ada', 'Lovelace', 'new']);
    } finally {
      await rm(file, { force: true });
    }
    await expect.poll(names, { timeout: 120_000 }).not.toContain('versioned');
  });
});
