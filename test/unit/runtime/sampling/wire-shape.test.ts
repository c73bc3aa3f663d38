import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { SampleAskRequest } from '#src/core/tool/ask.ts';
import { elicitExchange } from '#src/core/tool/exchange/elicit-exchange.ts';
import { calls, scriptedModel, user } from './scripted-model.ts';

/** What the MCP SDK reads when such a request arrives. */
function read(request: SampleAskRequest): unknown {
  const sent: unknown = JSON.parse(JSON.stringify({ method: 'sampling/createMessage', params: request }));
  return CreateMessageRequestSchema.parse(sent).params;
}

describe('a sampling request', () => {
  it('is what MCP specifies, also with schemas, tools, retries and exchanges', async () => {
    const schema = z.object({ list: z.array(z.object({ n: z.int().positive() })) });
    const move = { name: 'move', description: 'Plays.', inputSchema: z.union([z.string(), z.null()]) };
    const model = scriptedModel([
      'no',
      calls('__schema__', { list: [] }),
      'no',
      calls('move', { value: 'x' }),
    ]);
    const asked = elicitExchange({
      callId: 'c',
      askId: 'elicit-1',
      key: 'ask',
      message: 'm',
      context: { a: 1 },
      content: { b: 2 },
    });
    await run(function* () {
      const { exchange } = yield* model.sampleSchema({
        prompt: 'a',
        schema,
        systemPrompt: 's',
        temperature: 0.5,
        stopSequences: ['x'],
        modelPreferences: { hints: [{ name: 'h' }], costPriority: 0.5 },
      });
      yield* model.sampleTools({
        messages: [...asked.messages, ...exchange.messages, user('b')],
        tools: [move],
        toolChoice: { mode: 'auto' },
      });
    });
    expect(model.requests).toHaveLength(4);
    for (const request of model.requests) expect(read(request)).toEqual(request);
  });
});
