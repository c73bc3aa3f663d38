import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { ModelConsent } from '#src/mcp/client/calls/model-consent.ts';
import { sampleFor } from '#src/mcp/client/calls/sample-for.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { withManager } from '../../../chat/rig.ts';

const capabilities = { elicitation: { form: true }, sampling: { tools: false } } as const;

/** A server asks for the model with these messages; how the call ends, and how often the person was asked. */
async function sampled(messages: unknown, principals = ['ada'], more: object = {}) {
  let asked = 0;
  const requests: object[] = [];
  const server = { name: 'sea', consent: new ModelConsent() };
  const client: Client = {
    name: 'editor',
    capabilities: () => capabilities,
    can: () => true,
    *elicit() {
      asked++;
      return { action: 'accept', content: {} };
    },
    *sample({ request }) {
      requests.push(request);
      return { role: 'assistant', content: { type: 'text', text: 'ebb' }, model: 'm' };
    },
  };
  const tool = createMcpTool('asks')
    .description('Speaks for a server.')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_given, ctx) {
      return (yield* sampleFor(server, ctx, { messages, maxTokens: 10, ...more })).content;
    });
  const ends = await withManager(function* (manager) {
    const all = [];
    for (const principal of principals) {
      const session = yield* manager.create({ tool, params: {}, capabilities, principal });
      all.push(yield* drive(session, client, 'end'));
    }
    return all;
  });
  return { asked, end: ends[0], requests };
}

describe('a server that asks for the model', () => {
  it('gets its answer when the person lets it', async () => {
    const { asked, end } = await sampled([{ role: 'user', content: { type: 'text', text: 'The tide?' } }]);
    expect(asked).toBe(1);
    expect(end).toMatchObject({ type: 'result', value: { type: 'text', text: 'ebb' } });
  });

  it('says to it what it says for the provider', async () => {
    const message = { role: 'user', content: { type: 'text', text: 'The tide?' } };
    const metadata = { 'com.example/user': 'u1' };
    expect((await sampled([message], ['ada'], { metadata })).requests).toMatchObject([{ metadata }]);
  });

  it('asks each person for theirs, once', async () => {
    const message = { role: 'user', content: { type: 'text', text: 'The tide?' } };
    expect(await sampled([message], ['ada', 'bob', 'ada', 'bob'])).toMatchObject({ asked: 2 });
  });

  it.each([undefined, null, 'text', 5, [null], [{ text: 'no type' }]])(
    'with content that is no block (%j) hears so, and nobody is asked',
    async (content) => {
      const { asked, end } = await sampled([{ role: 'user', content }]);
      expect(asked).toBe(0);
      expect(JSON.stringify(end)).toContain('must be content blocks');
    },
  );
});
