const vscode = require('vscode');

// Sees when Parley has been activated, whoever asks for it later.
exports.activate = () => ({ active: whenActive() });

async function whenActive() {
  while (!vscode.extensions.getExtension('parley.parley-mcp')?.isActive) {
    await new Promise((next) => setTimeout(next, 4));
  }
  return Date.now();
}
