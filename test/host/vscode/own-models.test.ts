import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

describe('models of the own', () => {
  let server: Server;
  let url = '';
  const asked: { model: string; stream: boolean }[] = [];

  before(async () => {
    server = createServer(async (req, res) => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      asked.push(JSON.parse(text));
      const chunk = (content: string, finish_reason: string | null) =>
        `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`${chunk('Hello, ', null)}${chunk('Ada', 'stop')}data: [DONE]\n\n`);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    await set([{ name: 'Mine', url, model: 'qwen3' }]);
  });
  after(async () => {
    server.close();
    await set(undefined);
  });

  const set = (value: unknown) =>
    vscode.workspace.getConfiguration().update('parley.models', value, vscode.ConfigurationTarget.Global);

  it('are in the list of models that a chat is held with, and stream their answers', async () => {
    const model = await eventually('model', async () => {
      const [found] = await vscode.lm.selectChatModels({ vendor: 'parley' });
      return found;
    });
    assert.deepEqual([model.name, model.family], ['Mine', 'qwen3']);
    const message = vscode.LanguageModelChatMessage.User('Hi');
    const response = await model.sendRequest([message], {}, new vscode.CancellationTokenSource().token);
    const pieces: string[] = [];
    for await (const piece of response.text) pieces.push(piece);
    assert.equal(pieces.join(''), 'Hello, Ada');
    assert.deepEqual(
      asked.map((one) => [one.model, one.stream]),
      [['qwen3', true]],
    );
  });
});
