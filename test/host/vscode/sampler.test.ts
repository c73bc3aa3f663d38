import assert from 'node:assert/strict';
import { createScope, type Operation, type Scope } from 'effection';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { SampleAskRequest } from '#src/core/tool/ask.ts';
import { SCHEMA_TOOL_NAME } from '#src/core/tool/sample.ts';
import { type Run, start } from '#src/vscode/bridge.ts';
import type { LastModel } from '#src/vscode/calls/sampler/last-model.ts';
import type { OwnModels } from '#src/vscode/calls/sampler/own-models.ts';
import { createSampler, type SamplerIo } from '#src/vscode/calls/sampler/sampler.ts';
import type { Log } from '#src/vscode/log/log.ts';
import { allowed } from './desk-kit.ts';
import { eventually } from './eventually.ts';

interface DemoRequest {
  readonly model: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly toolMode?: string | number;
  readonly modelOptions?: Record<string, unknown>;
  readonly state: string;
}

const demo = <T = unknown>(command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(`parleyDemo.${command}`, ...args);
const requests = () => demo<readonly DemoRequest[]>('requests');
const setting = (value: string | undefined) =>
  vscode.workspace
    .getConfiguration()
    .update('parley.sampling.model', value, vscode.ConfigurationTarget.Global);

const log = { debug() {}, warn() {} } as unknown as Log;
const last: LastModel = {
  get: () => undefined,
  set() {},
  *ask(_models, fallback) {
    return fallback;
  },
};
const none: OwnModels = {
  list: () => [],
  *key() {
    return undefined;
  },
  *keepKey() {},
};
const prompt = (text: string, more: Partial<SampleAskRequest> = {}): SampleAskRequest => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens: 100,
  ...more,
});

describe('sampling over vscode.lm', () => {
  let scope: Scope;
  let destroy: () => PromiseLike<void>;
  let consents: number;

  function sampling(request: SampleAskRequest, access = allowed): Run<unknown> {
    const io: SamplerIo = {
      title: 'A test',
      *consent<T>(op: () => Operation<T>): Operation<T> {
        consents += 1;
        return yield* op();
      },
    };
    return start(scope, () => createSampler(access, log, last, none).sample(request, io));
  }
  async function sample(request: SampleAskRequest, access = allowed): Promise<unknown> {
    const outcome = await sampling(request, access).outcome;
    if (outcome.type === 'done') return outcome.value;
    throw outcome.type === 'failed' ? outcome.error : new Error('halted');
  }

  beforeEach(async () => {
    [scope, destroy] = createScope();
    consents = 0;
    await demo('reset');
    await setting('parley-demo/demo');
  });
  afterEach(async () => {
    await destroy();
    await setting(undefined);
    await demo('reset');
  });

  it('answers with text, the model and a stop reason', async () => {
    await demo('script', { text: 'Take the tram.' });
    assert.deepEqual(await sample(prompt('A tip?', { systemPrompt: 'Be brief.', temperature: 0.5 })), {
      role: 'assistant',
      content: { type: 'text', text: 'Take the tram.' },
      model: 'parley-demo/demo',
      stopReason: 'endTurn',
    });
    const [request] = await requests();
    assert.deepEqual(request?.modelOptions, { max_tokens: 100, temperature: 0.5 });
  });

  it('stops at a stop sequence and cancels the rest', async () => {
    await demo('script', { text: 'one two three STOP four five', hang: true });
    const answer = await sample(prompt('Count', { stopSequences: ['never', 'STOP'] }));
    assert.deepEqual(answer, {
      role: 'assistant',
      content: { type: 'text', text: 'one two three ' },
      model: 'parley-demo/demo',
      stopReason: 'stopSequence',
    });
    await providerHeardOfCancel();
  });

  it('requires a single tool and gets its call', async () => {
    const inputSchema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    };
    const answer = await sample(
      prompt('Where?', {
        tools: [{ name: SCHEMA_TOOL_NAME, description: 'Respond', inputSchema }],
        toolChoice: { mode: 'required' },
      }),
    );
    const { content, stopReason } = answer as {
      content: { type: string; name: string }[];
      stopReason: string;
    };
    assert.equal(stopReason, 'toolUse');
    assert.equal(content.at(-1)?.type, 'tool_use');
    assert.equal(content.at(-1)?.name, SCHEMA_TOOL_NAME);
  });

  it('sends no tools for the choice none', async () => {
    await demo('script', { text: 'no tools' });
    const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
    await sample(prompt('Look', { tools, toolChoice: { mode: 'none' } }));
    assert.deepEqual((await requests())[0]?.tools ?? [], []);
  });

  it('goes to the model that the tool hints at when there is no setting', async () => {
    await setting(undefined);
    await demo('script', { text: 'mini' });
    const answer = await sample(prompt('Hi', { modelPreferences: { hints: [{ name: 'demo-mini' }] } }));
    assert.equal((answer as { model: string }).model, 'parley-demo/demo-mini');
  });

  for (const [reply, code, message] of [
    ['NoPermissions', 'SAMPLING_REFUSED', /not allowed/],
    ['Blocked', 'SAMPLING_REFUSED', /blocked the request/],
    ['quota', 'SAMPLING_QUOTA', /does not take more requests now/],
    ['rateLimited', 'SAMPLING_QUOTA', /does not take more requests now/],
    ['NotFound', 'SAMPLING_NO_MODEL', /not available any more/],
    ['other', 'SAMPLING', /failed/],
  ] as const) {
    it(`turns the provider’s ${reply}, in the middle of an answer, into ${code}`, async () => {
      await demo('script', { text: 'half an', error: reply, message: messageOf(reply) });
      await assert.rejects(sample(prompt('Hi')), (error: Error & { code?: string }) => {
        assert.equal(error.code, code);
        assert.match(error.message, message);
        assert.ok(error.cause instanceof Error, 'the cause is kept');
        return true;
      });
    });
  }

  it('says so when the chosen model is not there, and asks no other', async () => {
    await setting('nobody/nothing');
    await assert.rejects(sample(prompt('Hi')), { code: 'SAMPLING_NO_MODEL', message: /nobody\/nothing/ });
    assert.deepEqual(await requests(), []);
  });

  it('says so when the provider has gone', async () => {
    await demo('turnOff');
    await assert.rejects(sample(prompt('Hi')), { code: 'SAMPLING_NO_MODEL' });
  });

  it('cancels the request when it is halted', async () => {
    await demo('script', { text: 'and so on', hang: true });
    const running = sampling(prompt('Hi'));
    await eventually('running request', async () => (await requests())[0]?.state === 'running');
    await running.halt();
    assert.deepEqual(await running.outcome, { type: 'halted' });
    await providerHeardOfCancel();
  });

  it('stops the clock only while consent may be asked for', async () => {
    await demo('script', [{ text: 'a' }, { text: 'b' }]);
    await sample(prompt('Hi'));
    assert.equal(consents, 0);
    const unasked = { canSendRequest: () => undefined } as unknown as vscode.LanguageModelAccessInformation;
    await sample(prompt('Hi'), unasked);
    assert.equal(consents, 1);
  });
});

/** VS Code 1.106 keeps a cancellation to itself once the answer has begun (tried); the answer is dropped all the same. */
async function providerHeardOfCancel(): Promise<void> {
  if (vscode.version.startsWith('1.106.')) return;
  await eventually('cancelled request', async () => (await requests())[0]?.state === 'cancelled');
}

function messageOf(reply: string): string {
  return reply === 'quota' ? 'quota exceeded' : reply === 'rateLimited' ? 'rate limit reached' : 'no more';
}
