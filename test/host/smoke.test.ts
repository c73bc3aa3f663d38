import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('in a real VS Code', () => {
  it('the extension activates', async () => {
    const extension = vscode.extensions.getExtension('parley.parley-mcp');
    assert.ok(extension, 'Parley is installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('the demo model streams its answer in several parts', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'parley-demo', id: 'demo' });
    assert.ok(model, 'the demo model is registered');
    const prompt = vscode.LanguageModelChatMessage.User(
      'One travel tip for somebody who flies to LIS, please.',
    );
    const response = await model.sendRequest([prompt]);
    const parts: string[] = [];
    for await (const part of response.text) parts.push(part);
    assert.ok(parts.length > 1, `one part only: ${parts.join('')}`);
    assert.match(parts.join(''), /Lisbon/);
  });

  it('proposed API is out of reach, as it is in a VS Code that nobody prepared', () => {
    const refused = /CANNOT use API proposal/;
    assert.throws(() => call(vscode.workspace, 'registerTimelineProvider'), refused);
    assert.throws(() => call(vscode.window, 'createWebviewTextEditorInset'), refused);
  });
});

/** Calls something that the stable types do not know. */
function call(api: object, name: string): unknown {
  const member: unknown = Reflect.get(api, name);
  if (typeof member !== 'function') throw new Error(`There is no ${name} to be refused.`);
  return Reflect.apply(member, api, []);
}
