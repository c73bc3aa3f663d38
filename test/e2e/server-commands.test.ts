// @module-tag long
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { answerDialog, dialog, notification, pick, runCommand } from '#harness';
import { nodeProgram, serverRow } from './allowed-servers.ts';
import { expect, test } from './fixture.ts';
import { openToolsView } from './tools-view.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const patience = { timeout: 60_000 };

describe('commands on MCP servers', () => {
  test('do what they say, ask once, and say why where they cannot', async ({
    page,
    workbench,
    workspace,
  }) => {
    const { bridge } = workbench;
    const folder = join(workspace, '.vscode');
    const file = join(folder, 'mcp.json');
    const text = JSON.stringify({ servers: { every: nodeProgram(program), wrong: { command: 5 } } });
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
    await openToolsView(workbench);
    const row = serverRow(page, 'every');
    const notice = (said: string | RegExp) => notification(page, said).waitFor();
    await row.getByText('not allowed: click Start').waitFor();

    // One that is wrong takes no other along, and says why it does not start.
    await runCommand(page, 'Parley: Start Server…');
    await pick(page, 'wrong');
    await notice(/“wrong” cannot be used: .*must be text/);
    await row.hover();
    await row.getByRole('button', { name: 'Start Server' }).dblclick();
    await answerDialog(page, 'Allow');
    await row.getByText('connected').waitFor();
    expect(await dialog(page).count()).toBe(0);

    // Half a file, as it is while somebody types in it.
    const problems = () =>
      bridge.evaluate(
        (api, path) => api.languages.getDiagnostics(api.Uri.file(path)).map(({ message }) => message),
        file,
      );
    await writeFile(file, text.slice(0, -2));
    await expect.poll(problems, patience).toContainEqual(expect.stringContaining('are unchanged'));
    await row.getByText('connected').waitFor();
    await writeFile(file, text);
    await expect.poll(problems, patience).toEqual([]);

    await runCommand(page, 'Parley: Stop Server');
    await pick(page, 'every');
    await row.getByText('stopped').waitFor();
    await runCommand(page, 'Parley: Stop Server');
    await notice('No MCP server in this window is running.');

    void bridge.execute('parley.startServer', 'every');
    await row.getByText('connected').waitFor();
    await runCommand(page, 'Parley: Revoke Permission');
    await pick(page, 'every');
    await row.getByText('not allowed: click Start').waitFor();

    // What is asked is over before it is asked again: who asks twice at once is asked once.
    const moving = () => bridge.execute('parley.moveServer', 'every');
    const refused = moving();
    await answerDialog(page, 'Cancel');
    await refused;
    expect(await readFile(file, 'utf8')).toBe(text);
    const moved = moving();
    await answerDialog(page, 'Move');
    await dialog(page).getByText('The server is defined in the setting parley.servers.').waitFor();
    await answerDialog(page, 'Cancel');
    await moved;
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ servers: { wrong: { command: 5 } } });
    void bridge.execute('parley.moveServer', 'every');
    await notice('“every” is already in the setting parley.servers.');
    await rm(folder, { recursive: true });
    await row.waitFor({ state: 'detached' });
  });
});
