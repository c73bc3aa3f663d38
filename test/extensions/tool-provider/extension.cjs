const vscode = require('vscode');

/**
 * Another extension that gives Parley a tool. It brings its own copy of `parley-mcp`, effection and zod, as an
 * extension that bundles them does: nothing of it is shared with Parley.
 */
exports.activate = (context) => {
  const parley = vscode.extensions.getExtension('parley.parley-mcp').exports.getApi(1);
  let registered;
  let changes = 0;
  context.subscriptions.push(
    parley.onDidChangeTools(() => {
      changes++;
    }),
    vscode.commands.registerCommand('parleyTestProvider.register', async () => {
      const { createMcpTool } = await import('../../../dist/lib/parley-mcp.js');
      const z = await import('zod');
      registered = parley.registerTool(
        createMcpTool('provided_greeting')
          .description('Greets a person by the name that the person gives.')
          .parameters(z.object({ greeting: z.string() }))
          .annotations({ readOnlyHint: true })
          .title('Greet')
          .elicits({ who: z.object({ name: z.string() }) })
          .execute(function* ({ greeting }, ctx) {
            const { name } = yield* ctx.elicit.strict('who', { message: 'Whom shall I greet?' });
            return `${greeting}, ${name}`;
          }),
      );
      return parley.tools();
    }),
    vscode.commands.registerCommand('parleyTestProvider.dispose', () => {
      registered?.dispose();
      return parley.tools();
    }),
    // Served to the editor, named as it names tools of MCP servers. Parley has no part in it.
    vscode.lm.registerTool('mcp_sea_tide', {
      prepareInvocation: () => ({
        invocationMessage: 'Looking at the water',
        confirmationMessages: { title: 'Look at the water?', message: 'From the pier.' },
      }),
      invoke: ({ input }) =>
        new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`ebb in ${input.port}`)]),
    }),
    vscode.commands.registerCommand('parleyTestProvider.changes', () => changes),
  );
};
