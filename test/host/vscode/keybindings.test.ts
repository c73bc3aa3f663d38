import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { keybindingContributions } from '#src/vscode/manifest/keybindings.ts';

describe('the keybindings', () => {
  it('take no key that VS Code has taken, nor do those in the documentation', async () => {
    const defaults = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const document = await vscode.workspace.openTextDocument(defaults);
    const bound = [...document.getText().matchAll(/"key":\s*"([^"]+)",\s*"command":\s*"([^"]+)"/g)];
    assert.ok(bound.length > 500, 'the default keybindings are there');
    // In a list of ours a key does what we say.
    const everywhere = keybindingContributions.filter(({ when }) => !when.includes('parley.pickingTool'));
    assert.ok(everywhere.length > 3);
    const parley = vscode.extensions.getExtension('parley.parley-mcp')?.extensionPath ?? '';
    const docs = await readFile(join(parley, 'docs', 'in-the-editor.md'), 'utf8');
    const documented = [...docs.matchAll(/"key": "([^"]+)"/g)].map(([, key = '']) => key);
    assert.ok(documented.length > 2);
    const keys = new Set([...everywhere.map(({ key }) => key), ...documented]);
    const taken = bound.filter(([, key = '', id = '']) => keys.has(key) && !id.startsWith('parley.'));
    assert.deepEqual(
      taken.map(([, key, id]) => `${key} ${id}`),
      [],
    );
    for (const { command } of keybindingContributions) {
      assert.ok(
        bound.some(([, , id]) => id === command),
        `${command} is bound`,
      );
    }
  });
});
