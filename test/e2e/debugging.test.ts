import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { type Bridge, notification } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames, writeTool } from './tool-files.ts';

const NAME = 'stops_here';
const TITLE = 'Stops here';

const source = `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

interface Doubled {
  readonly value: number;
}

export const tool = createMcpTool('${NAME}').description('Is debugged.')
  .parameters(z.object({ n: z.int() }))
  .elicits({ name: z.object({ name: z.string().meta({ title: 'Name' }) }) })
  .execute(function* ({ n }, ctx) {
    const doubled: Doubled = { value: n * 2 };
    const answer = yield* ctx.elicit('name', { message: 'Who are you?' });
    const name = answer.action === 'accept' ? answer.content.name : 'nobody';
    return \`\${name} \${doubled.value} \${process.env.VSCODE_INSPECTOR_OPTIONS ? 'debugged' : 'not debugged'}\`;
  });
`;

/** Where the debugger stands: line, from 1, and path of the author's file. */
const standsAt = (bridge: Bridge) =>
  bridge.evaluate(async (api) => {
    const item = api.debug.activeStackItem;
    if (!item || !('frameId' in item)) return undefined;
    const { stackFrames } = (await item.session.customRequest('stackTrace', {
      threadId: item.threadId,
      startFrame: 0,
      levels: 1,
    })) as { stackFrames: { line: number; source?: { path?: string } }[] };
    const [frame] = stackFrames;
    // VS Code makes a URI of what is a path to the debugger.
    return { line: frame?.line, file: api.Uri.parse(frame?.source?.path ?? '').path };
  }, undefined);

/** Puts breakpoints at lines of a file, from 1, and takes all others away. */
const breakAt = (bridge: Bridge, file: string, lines: readonly number[]) =>
  bridge.evaluate(
    (api, [path, wanted]) => {
      api.debug.removeBreakpoints(api.debug.breakpoints);
      const uri = api.Uri.file(path as string);
      api.debug.addBreakpoints(
        (wanted as number[]).map(
          (line) => new api.SourceBreakpoint(new api.Location(uri, new api.Position(line - 1, 0))),
        ),
      );
    },
    [file, lines] as const,
  );

const lineOf = (text: string) => source.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('a tool that is debugged', () => {
  test('stops at a breakpoint in its file, goes on, asks in the panel, and is answered', async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tools', 'stops-here.ts');
    await writeTool(bridge, file, source);
    await expect.poll(() => toolNames(bridge), { timeout: 120_000 }).toContain(NAME);
    const line = lineOf('const answer');
    await breakAt(bridge, file, [line]);

    const result = bridge.execute('parley.debugTool', NAME, { n: 21 });
    await expect
      .poll(() => standsAt(bridge).catch(String), { timeout: 120_000, interval: 1_000 })
      .toEqual({ line, file });
    const toolbar = page.locator('.debug-toolbar');
    await toolbar.waitFor();
    await breakAt(bridge, file, []);
    await page.locator('.tab', { hasText: TITLE }).click();
    const panel = await panels.panelOf(page, TITLE);
    await panel.locator('.stage-running').getByText('Paused in the debugger').waitFor();
    expect(await panel.getByText('Working…').count()).toBe(0);
    // The debugger's own bar says that it runs: a notice that it works would stand for as long as the person looks around.
    expect(await notification(page, TITLE).count()).toBe(0);
    await bridge.execute('workbench.action.debug.continue');

    // The editor that shows where the debugger stood lies above it.
    await page.locator('.tab', { hasText: TITLE }).click();
    await panel.getByText('Who are you?').first().waitFor();
    expect(await panel.getByText('Paused in the debugger').count()).toBe(0);
    await panels.field(panel, 'Name').fill('Ada');
    await panels.button(panel, 'Submit').click();
    expect(await result).toBe('Ada 42 debugged');
    await toolbar.waitFor({ state: 'hidden' });
  });

  test('is aborted when its debugger is stopped, and runs without one after that', { tags: 'long' }, async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tools', 'stops-here.ts');
    await writeTool(bridge, file, source);
    await breakAt(bridge, file, []);
    await expect.poll(() => toolNames(bridge), { timeout: 120_000 }).toContain(NAME);
    const debugged = bridge.execute('parley.debugTool', NAME, { n: 1 }).catch(String);
    const panel = await panels.panelOf(page, TITLE);
    await panel.getByText('Who are you?').first().waitFor({ timeout: 120_000 });
    await bridge.execute('workbench.action.debug.stop');
    expect(await debugged).toMatch(/Ended: (the debug session was stopped|its process has ended)/);
    await panels.status(panel, 'Stopped');

    await bridge.execute('workbench.action.closeAllEditors');
    const result = bridge.execute('parley.runTool', NAME, { n: 2 });
    const again = await panels.panelShowing(page, TITLE, 'Who are you?');
    await panels.field(again, 'Name').fill('Ada');
    await panels.button(again, 'Submit').click();
    expect(await result).toBe('Ada 4 not debugged');
  });
});

const tests = `import { test } from 'node:test';

interface Doubled {
  readonly value: number;
}

test('doubles', () => {
  const doubled: Doubled = { value: 21 * 2 };
  if (doubled.value !== 42) throw new Error('not doubled');
});
`;

describe('tests of tools that are debugged', () => {
  test('stop at a breakpoint in their file, and go on to their end', async ({
    page,
    workbench: { bridge },
    workspace,
  }) => {
    const file = join(workspace, '.parley', 'tests', 'doubles.test.ts');
    onTestFinished(() => rm(dirname(file), { recursive: true, force: true }));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, tests);
    await bridge.evaluate(async (api, path) => {
      await api.window.showTextDocument(api.Uri.file(path));
    }, file);
    const line = tests.split('\n').findIndex((text) => text.includes('if (doubled')) + 1;
    await breakAt(bridge, file, [line]);
    // Its tests are known once the editor shows what runs them.
    await page.locator('.glyph-margin-widgets .testing-run-glyph').first().waitFor();
    const debugged = bridge.execute('testing.debugCurrentFile');
    await expect
      .poll(() => standsAt(bridge).catch(String), { timeout: 120_000, interval: 1_000 })
      .toEqual({ line, file });
    await breakAt(bridge, file, []);
    await bridge.execute('workbench.action.debug.continue');
    await debugged;
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });
});
