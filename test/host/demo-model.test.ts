import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

const execute = vscode.commands.executeCommand;

describe('the demo model', () => {
  afterEach(async () => {
    await execute('parleyDemo.reset');
  });

  it('calls the required tool with an input that its schema admits', async () => {
    const calls = await toolCalls('Plan a trip from AMS to LIS.', {
      type: 'object',
      required: ['destination', 'nights', 'board'],
      properties: {
        destination: { type: 'string' },
        nights: { type: 'integer', minimum: 2, maximum: 9 },
        board: { enum: ['breakfast', 'full'] },
        extras: { type: 'array', items: { enum: ['gym', 'pool'] }, minItems: 1 },
        mail: { type: 'string', format: 'email' },
        window: { type: 'boolean', default: false },
      },
    });
    assert.deepEqual(calls, [
      {
        destination: 'LIS',
        nights: 2,
        board: 'breakfast',
        extras: ['gym'],
        mail: 'demo@example.com',
        window: false,
      },
    ]);
  });

  it('says what its script has next, before anything of its own', async () => {
    await execute('parleyDemo.script', [{ text: 'first' }, { text: 'second' }]);
    assert.equal(await ask('Who are you?'), 'first');
    assert.equal(await ask('Who are you?'), 'second');
    assert.match(await ask('Who are you?'), /demo model/);
  });

  it('titles a conversation by what was said first, and keeps its script for what is said in it', async () => {
    await execute('parleyDemo.script', [{ text: 'first' }]);
    const request = 'Please write a brief title for the following request:\n\nPaint the door.';
    assert.equal(await ask(request), 'Paint the door.');
    assert.equal(await ask('Who are you?'), 'first');
  });

  for (const kind of ['NotFound', 'NoPermissions', 'Blocked'] as const) {
    it(`fails with ${kind} when told to`, async () => {
      await execute('parleyDemo.script', { error: kind });
      await assert.rejects(ask('anything'), (error) => {
        assert.ok(error instanceof vscode.LanguageModelError);
        assert.equal(error.code, kind);
        return true;
      });
    });
  }

  // 1.106 does not tell a provider of a cancel once its answer has begun.
  if (Number(vscode.version.split('.')[1]) >= 139) {
    it('hangs when told to, until it is cancelled, and notes that', async () => {
      await execute('parleyDemo.script', { text: 'begun', hang: true });
      const cancel = new vscode.CancellationTokenSource();
      const response = await (await model()).sendRequest([user('hang')], {}, cancel.token);
      const read = async (): Promise<void> => {
        for await (const _ of response.text) cancel.cancel();
      };
      // Whether the reader hears of it differs from VS Code to VS Code; the model always does.
      void read().catch(() => {});
      await noted('cancelled');
    });
  }

  it('can be taken away and brought back', async () => {
    await execute('parleyDemo.turnOff');
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'parley-demo' }), []);
    await execute('parleyDemo.turnOn');
    assert.equal((await vscode.lm.selectChatModels({ vendor: 'parley-demo' })).length, 2);
  });
});

const user = vscode.LanguageModelChatMessage.User;

async function model(): Promise<vscode.LanguageModelChat> {
  const [found] = await vscode.lm.selectChatModels({ vendor: 'parley-demo', id: 'demo' });
  assert.ok(found);
  return found;
}

async function ask(prompt: string): Promise<string> {
  let text = '';
  for await (const part of (await (await model()).sendRequest([user(prompt)])).text) text += part;
  return text;
}

async function toolCalls(prompt: string, inputSchema: object): Promise<object[]> {
  const tools = [{ name: '__schema__', description: 'Answer with this.', inputSchema }];
  const toolMode = vscode.LanguageModelChatToolMode.Required;
  const response = await (await model()).sendRequest([user(prompt)], { tools, toolMode });
  const calls: object[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part.input);
  }
  return calls;
}

/** Resolves when the last request has come to this state; the test's time-out is the limit. */
async function noted(state: string): Promise<void> {
  for (;;) {
    const requests = await execute<{ state: string }[]>('parleyDemo.requests');
    if (requests.at(-1)?.state === state) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
