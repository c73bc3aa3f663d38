import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { answerDialog, type Bridge, dialog, fillInputBox, pick, runCommand } from '#harness';
import { nodeProgram, serverRow } from './allowed-servers.ts';
import { expect, killExtensions, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames, writeTool } from './tool-files.ts';
import { openToolsView } from './tools-view.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const patience = { timeout: 60_000 };
const variable = (name: string) => `$\{${name}}`;

/** A file of servers as people write it, with comments. */
const fileOf = (entry: object) => `{
  // Servers of this workspace.
  "inputs": [{ "id": "greeting", "type": "promptString", "description": "How to greet" }],
  "servers": { "everything": ${JSON.stringify(entry)}, },
}`;
const entry = { command: process.execPath, args: [program], env: { GREETING: variable('input:greeting') } };

const callingTool = `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tool = createMcpTool('echo_twice').description('Calls another tool.').parameters(z.object({})).elicits({})
  .execute(function* (_, ctx) {
    const said = [];
    for (const message of ['one', 'two']) said.push((yield* ctx.call('everything/echo', { message })).content[0].text);
    return said;
  });
`;

describe('an MCP server of the workspace', () => {
  test('starts once it is allowed, runs from the palette, asks in the panel, and is asked about again when it changes', async ({
    page,
    workbench,
    workspace,
  }) => {
    const { bridge } = workbench;
    const file = join(workspace, '.vscode', 'mcp.json');
    onTestFinished(() => rm(file, { force: true }));
    await mkdir(join(workspace, '.vscode'), { recursive: true });
    await writeFile(file, fileOf(entry));
    await openToolsView(workbench);
    const row = serverRow(page, 'everything');
    await row.getByText('not allowed: click Start').waitFor();

    // All that would be started is there to read; No leaves it as it is.
    void bridge.execute('parley.startServer', 'everything');
    await dialog(page).getByText('server-everything/dist/index.js').waitFor();
    await dialog(page)
      .getByText(`GREETING=${variable('input:greeting')}`)
      .waitFor();
    await answerDialog(page, 'Cancel');
    await row.getByText('not allowed: click Start').waitFor();

    void bridge.execute('parley.startServer', 'everything');
    await answerDialog(page, 'Allow');
    await fillInputBox(page, 'Ahoy');
    await row.getByText('connected').waitFor();

    // Below its server a tool has the name that the server gave it; the panel says whose it is.
    await row.click();
    await page.keyboard.press('ArrowRight');
    await page
      .locator('.pane-body .monaco-list-row', { hasText: 'Get Sum Tool' })
      .getByText(/^get-sum$/)
      .waitFor();
    await page.keyboard.press('ArrowLeft');
    const sum = await panels.runTool(page, 'Get Sum Tool');
    await sum.getByText('Tool of the MCP server “everything”').waitFor();
    await sum.locator('input').first().fill('20');
    await sum.locator('input').nth(1).fill('22');
    await panels.submit(sum);
    await sum.getByText('The sum of 20 and 22 is 42.').waitFor();

    // What was given is what the server gets, and nothing is asked twice.
    const seen = (await bridge.execute('parley.runTool', 'everything/get-env', {})) as {
      content: readonly { text: string }[];
    };
    expect(JSON.parse(seen.content[0]?.text ?? '{}')).toMatchObject({ GREETING: 'Ahoy' });
    await panels.panelShowing(page, 'Print Environment Tool', 'Ahoy');
    const [first] = await startedBy(bridge, program);
    await runCommand(page, 'Parley: Restart Server');
    await pick(page, 'everything');
    // The row says for a moment longer what it said before.
    const others = async () => (await startedBy(bridge, program)).filter((pid) => pid !== first);
    await expect.poll(others, patience).toHaveLength(1);
    await row.getByText('connected').waitFor();

    const asking = await panels.runTool(page, 'Trigger Elicitation Request Tool');
    await panels.field(asking, 'String').first().fill('Ada');
    await panels.submit(asking);
    await asking.locator('.stage-result').getByText('Ada').first().waitFor();

    // A tool of ours, in a worker, calls one of the server: that is asked, with its arguments to edit.
    const tool = join(workspace, '.parley', 'tools', 'echo-twice.ts');
    onTestFinished(() => rm(tool, { force: true }));
    await writeTool(bridge, tool, callingTool);
    await expect.poll(async () => (await toolNames(bridge)).includes('echo_twice'), patience).toBe(true);
    const both = bridge.execute('parley.runTool', 'echo_twice', {});
    const approval = await panels.panelShowing(page, 'Echo twice', 'of the MCP server “everything”');
    await panels.field(approval, 'Arguments').fill('{ "message": "edited" }');
    await approval.getByLabel('this tool, until the window is closed').check();
    await panels.button(approval, 'Submit').click();
    expect(await both).toEqual(['Echo: edited', 'Echo: two']);
    await approval.getByText('with arguments that you edited').first().waitFor();

    // Its row would push the server's out of sight.
    await rm(tool);
    await runCommand(page, 'Parley: Use MCP Prompt or Resource…');
    await pick(page, 'everything');
    await pick(page, 'Simple Prompt');
    await (await panels.panelOf(page, 'everything/Simple Prompt'))
      .getByText('This is a simple prompt')
      .waitFor();

    // A rule counts for everybody, the person too.
    await workbench.updateSettings({ 'parley.policy': [{ tool: 'ec*', verdict: 'deny' }] });
    onTestFinished(() => workbench.updateSettings({ 'parley.policy': undefined }));
    const denied = bridge.execute('parley.runTool', 'everything__echo', { message: 'x' }).catch(String);
    expect(await denied).toContain('the rule “deny: tool ec*”');

    // The extension host dies at once: of its server nothing is left, and the next one starts what was allowed by itself.
    const old = await startedBy(bridge, program);
    expect(old).toHaveLength(1);
    await killExtensions(workbench);
    // VS Code may have loaded the window again.
    await openToolsView(workbench);
    await row.getByText('connected').waitFor();
    await expect
      .poll(async () => (await processesOf(program)).filter(({ pid }) => old.includes(pid)), patience)
      .toEqual([]);

    await writeFile(file, fileOf({ ...entry, args: [program, 'stdio'] }));
    await row.getByText('changed: click Start').waitFor();
    await expect
      .poll(
        () => workbench.bridge.execute('parley.runTool', 'everything__echo', { message: 'x' }).catch(String),
        patience,
      )
      .toContain('was not found');
  });

  test('starts when it is allowed, though it was taken away and written again while that was asked', async ({
    page,
    workbench,
  }) => {
    const write = (servers: object | undefined) => workbench.updateSettings({ 'parley.servers': servers });
    onTestFinished(() => write(undefined));
    const servers = { restless: nodeProgram(program) };
    await write(servers);
    await openToolsView(workbench);
    const row = serverRow(page, 'restless');
    await row.getByText('not allowed: click Start').waitFor();
    void workbench.bridge.execute('parley.startServer', 'restless');
    await dialog(page).getByText('“restless”').waitFor();
    await write(undefined);
    await row.waitFor({ state: 'detached' });
    await write(servers);
    await row.getByText('not allowed: click Start').waitFor();
    await answerDialog(page, 'Allow');
    await row.getByText('connected').waitFor();
  });
});

/** Those of this window's extension host alone: other tests run the same program at the same time. */
async function startedBy(bridge: Bridge, file: string): Promise<readonly number[]> {
  const host = await bridge.evaluate(() => process.pid, undefined);
  return (await processesOf(file)).filter(({ parent }) => parent === host).map(({ pid }) => pid);
}

/** The processes that run this program, and what has started each, where the system says so. */
async function processesOf(file: string): Promise<ReadonlyArray<{ pid: number; parent: number }>> {
  const read = (pid: string, what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => ({ pid, line: await read(pid, 'cmdline'), status: await read(pid, 'status') })),
  );
  return all
    .filter(({ line }) => line.includes(file))
    .map(({ pid, status }) => ({ pid: Number(pid), parent: Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) }));
}
