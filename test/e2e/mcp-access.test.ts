import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, onTestFinished } from 'vitest';
import { dialog, notification, pick, runCommand } from '#harness';
import { answerForm } from '#src/panel-port/index.ts';
import { drawPage, showsPages } from '#test/mcp/kit/drawn-page.ts';
import { expect, reloadWindow, test } from './fixture.ts';
import { type Endpoint, endpoint, post, toolsOf } from './mcp-endpoint.ts';
import * as panels from './panel.ts';
import { problemsIn, textOf } from './problems.ts';
import { openRepository } from './repository.ts';
import { toolSource, writeTool } from './tool-files.ts';

describe('the MCP server of a window, for other clients', () => {
  test('runs a tool as it was last allowed, and says where its file changed or cannot be loaded', {
    tags: 'long',
  }, async ({ workbench, workspace }) => {
    const file = join(workspace, '.parley', 'tools', 'written.ts');
    const source = (text: string) => toolSource('written').replace("return 'written'", `return '${text}'`);
    const write = (text: string) => writeTool(workbench.bridge, file, source(text));
    onTestFinished(() => rm(file));
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const client = await endpoint(workbench);
    const call = async () => (await post(client, 'tools/call', { name: 'written', arguments: {} })).text();
    for (const text of ['as it was first', 'as it was next', 'as it was last']) {
      await write(text);
      expect(await call()).toContain(text);
    }
    await writeFile(file, source('by an agent'));
    expect(await call()).toMatch(/as it was last.+not as it is written now: .+changed outside this editor/);
    await writeFile(file, 'export const tool = ;');
    const before = await call();
    expect(before).toContain('as it was last');
    expect(before).toMatch(/not as it is written now: its file cannot be loaded.+written\.ts:1: /);
    await write('mended');
    expect(await call()).toMatch(/mended(?!.*not as it is written)/);
  });

  test('is found by a copied configuration, also after a reload, until the token is reset', async ({
    page,
    workbench,
  }) => {
    await runCommand(page, 'Parley: Connect Another MCP Client…');
    await pick(page, 'Cursor');
    await notification(page, 'Copied the configuration for Cursor.').waitFor();
    const copied = await endpoint(workbench);
    expect(copied.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await toolsOf(copied)).toEqual(
      expect.arrayContaining(['ask_user', 'book_flight', 'commit_changes']),
    );
    expect(await status({ ...copied, token: 'guessed' })).toBe(401);
    // The editor lends its abilities to calls of other clients, too.
    const mended = await post(copied, 'tools/call', {
      name: 'fix_problems',
      arguments: { file: 'README.md', severity: 'error' },
    });
    expect(await mended.text()).toContain('The editor shows no such problem in README.md.');

    // Who asks is told by the name that was copied; what the client says of itself stands beside it.
    const called = post(copied, 'tools/call', { name: 'ask_twice', arguments: { name: 'Ada' } });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    // Numbered where an earlier test has copied one.
    await panel.getByText(/^Started by Cursor( \d+)?$/).waitFor();
    await panel.getByText('(it says: test 1)').waitFor();
    await workbench.bridge.execute('parley.calls.focus');
    await page.locator('.monaco-list-row', { hasText: /Cursor( \d+)? · First question/ }).waitFor();
    await panels.button(panel, 'Cancel').click();
    await panel.getByText('Second question for Ada').first().waitFor();
    await panels.button(panel, 'Cancel').click();
    expect(await (await called).text()).toContain('cancel');

    await reloadWindow(workbench);
    // Nobody asked for the address in this window, and it is served all the same.
    await expect.poll(() => status(copied).catch(() => 0), { timeout: 60_000 }).toBe(200);
    expect(await toolsOf(copied)).toContain('ask_user');

    // There is more than one to choose from, whatever earlier tests have copied.
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    // A page of an earlier test that VS Code has brought back takes the keyboard when it is drawn, and the list would close.
    await workbench.bridge.execute('workbench.action.closeAllEditors');
    await runCommand(page, "Parley: Revoke a Client's Access…");
    await pick(page, 'All clients');
    await notification(page, 'no longer have access').waitFor();
    expect(await status(copied)).toBe(401);
    await runCommand(page, "Parley: Revoke a Client's Access…");
    await notification(page, 'No MCP client has access to this workspace.').waitFor();
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    const fresh = await endpoint(workbench);
    expect(fresh.url).toBe(copied.url);
    expect(fresh.token).not.toBe(copied.token);
    expect(await status(fresh)).toBe(200);
    expect(await dialog(page).count()).toBe(0);
  });

  test('asks in the window what changes something there, whatever pages and forms a client has', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    await workbench.updateSettings({ 'parley.sampling.model': 'parley-demo/demo' });
    await workbench.bridge.execute('parley.copyMcpConfiguration', 'cursor');
    await using host = await connectWithPages(await endpoint(workbench));
    const { client } = host;
    const { tools } = await client.listTools();
    const pageOf = (name: string) => tools.find((tool) => tool.name === name)?._meta?.ui;
    expect(pageOf('ask_user')).toEqual({ resourceUri: 'ui://parley/ask_user' });
    // It is a host of pages: others of its calls are answered on them.
    const question = { message: 'Which color?', fields: [{ name: 'color', label: 'Color', kind: 'text' }] };
    const asking = client.callTool({ name: 'ask_user', arguments: question });
    const drawn = await drawPage(client, 'ask_user');
    const { id } = await drawn.question(question);
    await drawn.send(answerForm({ questionId: id, attempt: 1, content: { color: 'red' } }));
    expect((await asking).structuredContent).toMatchObject({ answers: { color: 'red' } });

    for (const name of ['commit_changes', 'fix_problems']) {
      expect(pageOf(name)).toBeUndefined();
      await expect(drawPage(client, name)).rejects.toThrow(/not found/i);
    }
    await using repository = await openRepository(workbench);
    await repository.write('shop.txt', 'apples\npears\n');
    const message = 'feat: sell pears';
    const committing = client.callTool({ name: 'commit_changes', arguments: { message } });
    const files = await panels.panelShowing(page, 'Commit Changes', 'shop.txt');
    // What a page of this host says is heard by no other call than its own.
    await drawn.send(answerForm({ questionId: '1', attempt: 1, content: { files: ['shop.txt'] } }));
    await files.getByRole('button', { name: 'Continue with 1 of 1 files' }).click();
    await expect.poll(() => panels.field(files, 'Subject').inputValue()).toBe(message);
    expect(await repository.git('log', '-1', '--format=%s')).toBe('init');
    await panels.button(files, 'Commit').click();
    expect(JSON.stringify((await committing).content)).toContain('Committed shop.txt to main');
    expect(await repository.git('log', '-1', '--format=%s')).toBe(message);

    // A file of no other test: what the editor still holds of one, it brings up to date in its own time.
    await problemsIn(workbench, { 'crate.txt': 'apples\npaers\n' });
    const edits = [{ find: 'paers', replace: 'pears', why: 'a typo' }];
    await workbench.bridge.execute('parleyDemo.script', [
      { toolCalls: [{ name: '__schema__', input: { edits } }] },
    ]);
    const fixing = client.callTool({ name: 'fix_problems', arguments: { file: 'crate.txt' } });
    const edit = await panels.panelShowing(page, 'Fix Problems', 'Edit 1 of 1');
    expect(await textOf(workbench, 'crate.txt')).toContain('paers');
    await edit.getByRole('button', { name: 'Accept' }).click();
    expect(JSON.stringify((await fixing).content)).toContain('Applied 1 edit');
    expect(await textOf(workbench, 'crate.txt')).toBe('apples\npears\n');
    expect(host.forms.filter((asked) => asked !== question.message)).toEqual([]);
  });
});

/** A client of the official SDK that shows pages and has forms, which nobody answers; with what it was asked in these. */
async function connectWithPages({ url, token }: Endpoint) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} }, extensions: showsPages } },
  );
  const forms: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params.message);
    return new Promise<never>(() => {});
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return { client, forms, [Symbol.asyncDispose]: () => client.close() };
}

async function status(endpoint: Endpoint): Promise<number> {
  const response = await post(endpoint, 'tools/list');
  await response.body?.cancel();
  return response.status;
}
