const vscode = require('vscode');

// What the run panel is measured against: a webview with one paragraph and nothing else.
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('parleyBench.paragraph', () => {
      const panel = vscode.window.createWebviewPanel('paragraph', 'Paragraph', vscode.ViewColumn.One, {});
      panel.webview.html =
        '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><p id="ready">Hello</p></body></html>';
    }),
  );
};
