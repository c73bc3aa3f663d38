import { run, scoped } from 'effection';
import { describe, expect, it } from 'vitest';
import { toolOf } from '#src/core/plugin/offer.ts';
import { chainTool } from '#src/mcp/catalog/progressive/chain.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { SessionEvent } from '#src/runtime/session/events.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient, type MockMcpClientOptions } from '#src/testing/index.ts';
import { type Place, source, useRemoteKit } from './remote-kit.ts';

const accept = (content: unknown) => ({ action: 'accept', content }) as const;

/** Conversations: what a tool does, and what it is answered. */
const conversations: Record<string, [string, MockMcpClientOptions?]> = {
  'a result': ['return { sum: 1 + params.add, gone: undefined, fn() {} };'],
  nothing: [''],
  'logs and progress': [
    `for (let i = 0; i < 200; i++) yield* ctx.log('info', 'line ' + i, { i, big: 10n });
     yield* ctx.notify('half', 0.5); yield* ctx.notify('most', { value: 3, total: 4 }); return 'done';`,
  ],
  'a question that is accepted': [
    `const answer = yield* ctx.elicit('seat', { message: 'Which row?' });
     return { row: answer.content.row, exchange: answer.exchange.messages };`,
    { elicitResponses: [accept({ row: 7 })] },
  ],
  'a question that is answered wrongly, then rightly': [
    `return (yield* ctx.elicit('seat', { message: 'Which row?' })).content;`,
    { elicitResponses: [accept({ row: 77 }), accept({}), accept({ row: 7 })] },
  ],
  'a question that is answered wrongly for ever': [
    `return (yield* ctx.elicit('seat', { message: 'Which row?' })).content;`,
    { elicitResponses: () => accept({ row: 99 }) },
  ],
  'what cannot cross as JSON stays where it was parsed': [
    `const { content } = yield* ctx.elicit('day', { message: 'When?' });
     return [content.date instanceof Date, content.date.getUTCFullYear()];`,
    { elicitResponses: [accept({ date: '2026-07-28' })] },
  ],
  'questions with context, declined and cancelled': [
    `const first = yield* ctx.elicit('meal', { message: 'What?', dishes: ['soup', 'fish'] });
     const second = yield* ctx.elicit('meal', { message: 'Really?', dishes: [] });
     return [first.action, second.action];`,
    { elicitResponses: [{ action: 'decline' }, { action: 'cancel' }] },
  ],
  'questions that are replied to': [
    `const said = [];
     for (let n = 0; n < 3; n++) said.push(yield* ctx.elicit('seat', { message: 'Which row?', replies: true }));
     return said.map(({ action, text, content }) => [action, text, content]);`,
    {
      elicitResponses: [
        { action: 'reply', text: 'Why?' },
        accept({ reply: 'How?' }),
        accept({ row: 7, reply: '' }),
      ],
    },
  ],
  'whose an answer is': [
    `const first = yield* ctx.elicit('seat', { message: 'Which row?' });
     const second = yield* ctx.elicit('seat', { message: 'And now?' });
     const third = yield* ctx.elicit('seat', { message: 'Again?' });
     const last = yield* ctx.elicit('seat', { message: 'Only you?', person: true });
     return [first.answeredBy, second.answeredBy, third.answeredBy, last.action, last.answeredBy];`,
    {
      elicitResponses: [
        { ...accept({ row: 7 }), answeredBy: 'person' },
        { action: 'decline', answeredBy: 'client' },
        accept({ row: 7 }),
        { ...accept({ row: 7 }), answeredBy: 'client' },
      ],
    },
  ],
  'elicit.strict, caught': [
    `try { yield* ctx.elicit.strict('seat', { message: 'Which?' }); }
     catch (error) { return [error.name, error.code, isParleyError(error, 'ELICITATION_DECLINED')]; }`,
    { elicitResponses: [{ action: 'decline' }] },
  ],
  'an inline question': [
    `return (yield* ctx.elicit({ message: 'Name?', schema: z.object({ name: z.string() }) })).content;`,
    { elicitResponses: [accept({ name: 'Ada' })] },
  ],
  'cleanup that fails': [`yield* ensure(() => { throw new Error('cannot close'); }); return 'closed';`],
  'code that fails, and then its cleanup': [
    `yield* ensure(() => { throw new Error('cannot close'); }); throw new Error('no seats');`,
  ],
  'a thrown object': [`throw { row: 5 };`],
  'a key that is not declared': [`yield* ctx.elicit('nothing', { message: 'What?' });`],
  'two questions at once': [
    `yield* spawn(() => ctx.elicit('seat', { message: 'First?' }));
     yield* sleep(0);
     try { yield* ctx.elicit('seat', { message: 'Second?' }); } catch (error) { return error.message; }`,
    { elicitResponses: () => new Promise<never>(() => {}) },
  ],
  'samplings with history': [
    `const a = yield* ctx.sample({ prompt: 'One?', systemPrompt: 'Be short.' });
     const b = yield* ctx.sample({ prompt: 'Two?', maxTokens: 5 });
     return [a.text, b.text, ctx.messages.length, a.exchange];`,
    { sampleResponses: ['1', '2'] },
  ],
  'sampleSchema that needs a second try': [
    `return (yield* ctx.sampleSchema({ prompt: 'A row?', schema: z.object({ row: z.int() }) })).parsed;`,
    {
      sampleResponses: [
        { content: { type: 'tool_use', id: 'a', name: '__schema__', input: { row: 'x' } } },
        { content: { type: 'tool_use', id: 'b', name: '__schema__', input: { row: 4 } } },
      ],
    },
  ],
  sampleTools: [
    `const { toolCalls } = yield* ctx.sampleTools({ prompt: 'Go', tools: [{ name: 'go', inputSchema: z.object({ n: z.int() }) }] });
     return toolCalls;`,
    { sampleResponses: [{ content: { type: 'tool_use', id: 'a', name: 'go', input: { n: 1 } } }] },
  ],
  'sampling that the client cannot do': [
    `return yield* ctx.sample({ prompt: 'One?' });`,
    { capabilities: { elicitation: { form: true } } },
  ],
  roots: ['return yield* ctx.roots();', { roots: [{ uri: 'file:///a', name: 'a' }] }],
  branches: [
    `const texts = yield* ctx.branch(function* (inner) {
       yield* inner.log('info', 'in branch ' + inner.depth);
       const { text } = yield* inner.sample({ prompt: 'Deep?' });
       return yield* inner.branch(function* (deeper) { return [text, deeper.depth, deeper.parentMessages.length]; });
     });
     return [texts, ctx.messages.length];`,
    { sampleResponses: ['deep'] },
  ],
  'a question in a branch': [
    `return yield* ctx.branch((inner) => inner.elicit('seat', { message: 'Which?' }));`,
  ],
  'a branch that is too deep': [
    `const down = (ctx) => ctx.branch((inner) => down(inner));
     yield* ctx.branch((inner) => down(inner), { maxDepth: 2 });`,
  ],
  'a branch that spends too much': [
    `yield* ctx.branch((inner) => inner.sample({ prompt: 'A'.repeat(4000) }), { maxTokens: 10 });`,
    { sampleResponses: ['B'.repeat(4000)] },
  ],
  'an error with code, details and causes': [
    `throw Object.assign(new TypeError('outer', { cause: new RangeError('inner') }), { code: 'E_X' });`,
  ],
  'something thrown that is no error': [`throw { some: 'thing' };`],
  'a result that is no JSON': ['return new Map();'],
  'a question that loses a race': [
    `const winner = yield* race([
       ctx.elicit('seat', { message: 'Which?' }),
       (function* () { yield* ctx.sample({ prompt: 'x' }); return 'model'; })(),
     ]);
     yield* ctx.log('info', 'after'); return winner;`,
    { elicitResponses: () => new Promise<never>(() => {}), sampleResponses: ['x'] },
  ],
};

/** What happened, without times and stacks. */
function happenings(session: Session): unknown {
  return session
    .events()
    .map(({ time: _, ...event }: SessionEvent) =>
      JSON.parse(JSON.stringify(event, (key, value) => (key === 'stack' ? undefined : value))),
    );
}

function transcript(place: Place, code: string, client: MockMcpClientOptions = {}): Promise<unknown> {
  return run(() =>
    scoped(function* () {
      const kit = yield* useRemoteKit(place);
      const manager = yield* createSessionManager({ limits: { maxLogEvents: 10_000 } });
      const tool = yield* kit.tool(source(code));
      const person = createMockMcpClient(client);
      const capabilities = person.capabilities();
      const session = yield* manager.create({ tool, params: { add: 2 }, callId: 'golden', capabilities });
      yield* drive(session, person, 'end');
      return happenings(session);
    }),
  );
}

describe.each(['linked', 'worker'] as const)('a chain of tools in the %s', (place) => {
  it('is one call, as it is here', async () => {
    const code = `
      const { content } = yield* ctx.elicit('seat', { message: 'Row ' + params.text + '?' });
      yield* ctx.log('info', 'got ' + content.row);
      return 'row ' + content.row;`;
    const chained = (where: Place) =>
      run(() =>
        scoped(function* () {
          const kit = yield* useRemoteKit(where);
          const manager = yield* createSessionManager();
          const tool = toolOf(yield* kit.tool(source(code)));
          const steps = [
            { name: tool.name, arguments: { text: 'one' } },
            { name: tool.name, arguments: {}, pass: 'text' },
          ];
          const tools = {
            known: [tool],
            *find() {
              return { served: tool };
            },
          };
          const session = yield* manager.create({
            tool: chainTool(tool, steps, tools),
            params: {},
            callId: 'chain',
          });
          const elicitResponses = [accept({ row: 2 }), accept({ row: 99 }), accept({ row: 3 })];
          yield* drive(session, createMockMcpClient({ elicitResponses }), 'end');
          expect(session.ended()).toMatchObject({
            type: 'result',
            value: { steps: [{ result: 'row 2' }, { result: 'row 3' }] },
          });
          return happenings(session);
        }),
      );
    expect(await chained(place)).toEqual(await chained('host'));
  });
});

describe('a conversation is the same wherever the tool runs', () => {
  describe.each(['linked', 'worker'] as const)('%s', (place) => {
    it.each(Object.entries(conversations))('%s', async (_name, [code, client]) => {
      const here = await transcript('host', code, client);
      // As text: what goes on to a wire has its fields in the same order, too.
      expect(JSON.stringify(await transcript(place, code, client), null, 1)).toBe(
        JSON.stringify(here, null, 1),
      );
      expect(here).not.toEqual([]);
    });
  });
});
