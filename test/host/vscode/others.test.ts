import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { ParleyExports } from '#src/vscode/agents/api/api.ts';
import { commands } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

const form = {
  message: 'Which color?',
  fields: [{ name: 'color', label: 'Color', kind: 'choice', options: ['red', 'blue'] }],
};

const startsMcpServers = Number(vscode.version.split('.')[1]) >= 139;

const textOf = ({ content }: vscode.LanguageModelToolResult) =>
  content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

const runPanels = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.label.includes('Ask the User'));

async function api() {
  const extension = vscode.extensions.getExtension<ParleyExports>('parley.parley-mcp');
  assert.ok(extension);
  return (await extension.activate()).getApi(1);
}

describe('a call that is not the person’s', () => {
  const registered: vscode.Disposable[] = [];

  afterEach(async () => {
    for (const one of registered.splice(0)) one.dispose();
    await vscode.window.tabGroups.close(runPanels());
    await vscode.commands.executeCommand(commands.clearFinishedCalls);
  });

  it('finds the shipped tools among the language model tools, with what the agent needs', () => {
    const tool = vscode.lm.tools.find(({ name }) => name === 'ask_user');
    assert.ok(tool);
    assert.match(tool.description, /Asks the user questions in a form/);
    assert.deepEqual((tool.inputSchema as { required: string[] }).required, ['message', 'fields']);
  });

  it('is refused in words for the model when its input does not fit, and opens nothing', async () => {
    const call = vscode.lm.invokeTool('ask_user', {
      input: { message: 'Well?', fields: [] },
      toolInvocationToken: undefined,
    });
    await assert.rejects(async () => call, /fields.*Call it again with corrected parameters/);
    assert.deepEqual(runPanels(), []);
  });

  it('opens its question beside, and ends with the token of whoever called', async () => {
    const source = new vscode.CancellationTokenSource();
    const call = vscode.lm
      .invokeTool('ask_user', { input: form, toolInvocationToken: undefined }, source.token)
      .then(
        () => 'it was answered',
        (error: Error) => error.name,
      );
    await eventually('panel', () => runPanels().length === 1);
    source.cancel();
    assert.equal(await call, 'Canceled');
    // What was asked is withdrawn: nothing waits any more, and the panel's tab is marked no longer.
    await eventually('withdrawn question', () => runPanels().every((tab) => !tab.label.includes('●')));
  });

  // Older ones start an MCP server only for a person: their command cannot wait for its tools.
  if (startsMcpServers) {
    it('reaches a tool of another extension over MCP, and no longer when that takes it back', async function () {
      this.timeout(200_000);
      const parley = await api();
      let changes = 0;
      registered.push(parley.onDidChangeTools(() => changes++));
      const mine = parley.registerTool(
        createMcpTool('provided_echo')
          .description('Says it again.')
          .parameters(z.object({ text: z.string() }))
          .annotations({ readOnlyHint: true })
          .elicits({})
          .execute(function* ({ text }) {
            return text;
          }),
      );
      registered.push(mine);
      assert.ok(parley.tools().includes('provided_echo'));
      assert.equal(changes, 1);
      const named = (name: string) => vscode.lm.tools.some((tool) => tool.name === name);
      await eventually(
        'tool over MCP',
        async () => {
          await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
          return named('mcp_parley_provided_echo');
        },
        120_000,
      );
      assert.equal(named('mcp_parley_ask_user'), false);
      const result = await vscode.lm.invokeTool('mcp_parley_provided_echo', {
        input: { text: 'once more' },
        toolInvocationToken: undefined,
      });
      assert.equal(textOf(result), 'once more');
      mine.dispose();
      await eventually('list without it', () => !named('mcp_parley_provided_echo'), 60_000);
    });
  }
});
