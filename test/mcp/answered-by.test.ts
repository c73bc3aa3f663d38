import { createMcpTool } from 'parley-mcp';
import { type Client, compose } from 'parley-mcp/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { canAnswer } from '#src/runtime/session/capabilities.ts';
import { startServer } from './kit/in-process.ts';
import { ask, envelope, openSession } from './kit/wire.ts';

const both = createMcpTool('both')
  .description('Asks the user, then the model')
  .parameters(z.object({}))
  .requires({ elicitation: true, sampling: true })
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    const { text } = yield* ctx.sample({ prompt: 'A tip?', maxTokens: 5 });
    return `row ${answer.row}, ${text}`;
  });

/** Stands for the editor: a panel and a model. */
function editor(): Client {
  const capabilities = { elicitation: { form: true }, sampling: { tools: true } } as const;
  return {
    name: 'editor',
    capabilities: () => capabilities,
    can: (asked) => canAnswer(capabilities, asked),
    *elicit() {
      return { action: 'accept', content: { row: 4 } };
    },
    *sample() {
      return { role: 'assistant', content: { type: 'text', text: 'from the editor' }, model: 'editor' };
    },
  };
}

const call = { name: 'both', arguments: {} };

it('completes a client that can neither ask nor sample, in both eras', async () => {
  const running = await startServer({ tools: [both], client: (wire) => compose(wire, editor()) });
  const session = await openSession(running.url, {});
  const listed = await session.request(1, 'tools/list');
  expect((await listed.rest())[0]?.result.tools).toHaveLength(1);
  const answered = await session.request(2, 'tools/call', call);
  expect((await answered.rest()).at(-1)?.result.content[0].text).toBe('row 4, from the editor');
  const modern = await ask(running.url, 'tools/call', { ...call, _meta: envelope({}) });
  expect(modern.result).toMatchObject({
    resultType: 'complete',
    content: [{ text: 'row 4, from the editor' }],
  });
});

it('leaves to the client what it can do itself, feature by feature', async () => {
  const running = await startServer({ tools: [both], client: (wire) => compose(wire, editor()) });
  const params = { ...call, _meta: envelope({ elicitation: {} }) };
  const { result } = await ask(running.url, 'tools/call', params);
  expect(Object.keys(result.inputRequests)).toEqual(['seat']);
  const { requestState } = result;
  const inputResponses = { seat: { action: 'accept', content: { row: 9 } } };
  const done = await ask(running.url, 'tools/call', { ...params, requestState, inputResponses });
  expect(done.result.content[0].text).toBe('row 9, from the editor');
});

it('asks in the order that the server is given', async () => {
  const running = await startServer({ tools: [both], client: (wire) => compose(editor(), wire) });
  const { result } = await ask(running.url, 'tools/call', call);
  expect(result.content[0].text).toBe('row 4, from the editor');
});

it('shows each caller its own tools', async () => {
  const other = createMcpTool('other')
    .description('x')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 'x';
    });
  const tokens = [
    { token: 'token-of-ada', principal: { name: 'ada' } },
    {
      token: 'token-of-bob',
      principal: { name: 'bob', offers: (one: { name?: string }) => one.name === 'other' },
    },
  ] as const;
  const running = await startServer({ tools: [both, other] }, { tokens: tokens as never });
  const names = async (who: string) => {
    const { result } = await ask(
      running.url as URL,
      'tools/list',
      {},
      { authorization: `Bearer token-of-${who}` },
    );
    return result.tools.map(({ name }: { name: string }) => name);
  };
  expect(await names('ada')).toEqual(['both', 'other']);
  expect(await names('bob')).toEqual(['other']);
  const hidden = await ask(running.url, 'tools/call', call, { authorization: 'Bearer token-of-bob' });
  expect(hidden.error).toMatchObject({ code: -32602 });
});
