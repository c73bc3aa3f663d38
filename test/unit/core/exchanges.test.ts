import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Message } from '#src/core/messages/content.ts';
import { elicitExchange } from '#src/core/tool/exchange/elicit-exchange.ts';
import { ACKNOWLEDGEMENT, sampleExchange } from '#src/core/tool/exchange/sample-exchange.ts';
import type { SampleExchange } from '#src/core/tool/sample.ts';

const parts = {
  callId: 'call:7',
  askId: 'elicit-1',
  key: 'pickFlight',
  message: 'Which?',
  context: { flights: ['A', 'B'] },
  content: { flight: 'A' },
};

describe('an elicitation as an exchange', () => {
  it('is what the assistant asked and the user’s tool_result, under one id that no other call has', () => {
    const exchange = elicitExchange(parts);
    expect(exchange.messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Which?' },
          { type: 'tool_use', id: 'call_7-elicit-1', name: 'pickFlight', input: { flights: ['A', 'B'] } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'call_7-elicit-1',
            content: [{ type: 'text', text: '{"flight":"A"}' }],
            structuredContent: { flight: 'A' },
          },
        ],
      },
    ]);
    expect([exchange.request, exchange.response]).toEqual(exchange.messages);
  });

  it('shows the arguments that the author chooses, and leaves the other as it was', () => {
    const exchange = elicitExchange(parts);
    const chosen = exchange.withArguments(({ flights }) => ({ count: (flights as string[]).length }));
    expect(chosen.request.content).toMatchObject([{ text: 'Which?' }, { input: { count: 2 } }]);
    expect(chosen.response).toEqual(exchange.response);
    expect(exchange.request.content).toMatchObject([{ text: 'Which?' }, { input: { flights: ['A', 'B'] } }]);
    expect(chosen.withArguments((context) => context).request).toEqual(exchange.request);
  });

  it('shows the message alone where there is no context', () => {
    const exchange = elicitExchange({ ...parts, context: {} });
    expect(exchange.request.content).toMatchObject([{ text: 'Which?' }, { input: {} }]);
  });

  it.each([
    ['a list', ['A'], '["A"]'],
    ['a text', 'A', '"A"'],
    ['nothing', null, 'null'],
    ['nothing at all', undefined, 'null'],
  ])(
    'is text alone where the schema made %s of the answer: structured content is an object',
    (_, content, text) => {
      const { response } = elicitExchange({ ...parts, content });
      const toolUseId = 'call_7-elicit-1';
      expect(response.content).toEqual([
        { type: 'tool_result', toolUseId, content: [{ type: 'text', text }] },
      ]);
    },
  );

  it('is data that JSON keeps', () => {
    const exchange = elicitExchange(parts);
    expect(JSON.parse(JSON.stringify(exchange))).toMatchObject({ messages: exchange.messages });
  });
});

describe('a sampling as an exchange', () => {
  const request: Message = { role: 'user', content: { type: 'text', text: 'Hi' } };

  it('has two messages when the model answers with text', () => {
    const response: Message = { role: 'assistant', content: { type: 'text', text: 'Hello' } };
    expect(sampleExchange(request, response).messages).toEqual([request, response]);
  });

  it('acknowledges every tool_use of the model, by id', () => {
    const response: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I move' },
        { type: 'tool_use', id: 't1', name: 'move', input: { cell: 1 } },
        { type: 'tool_use', id: 't2', name: 'move', input: { cell: 2 } },
      ],
    };
    const exchange = sampleExchange(request, response);
    const ack = (toolUseId: string) => ({
      type: 'tool_result',
      toolUseId,
      content: [{ type: 'text', text: ACKNOWLEDGEMENT }],
    });
    expect(exchange.messages).toEqual([request, response, { role: 'user', content: [ack('t1'), ack('t2')] }]);

    const played = exchange.withResults((call) => `played ${call.input.cell}`);
    expect(played.messages[2]?.content).toMatchObject([
      { toolUseId: 't1', content: [{ text: 'played 1' }] },
      { toolUseId: 't2', content: [{ text: 'played 2' }] },
    ]);
  });

  it('goes back into messages without a cast', () => {
    const collect = (exchange: SampleExchange): readonly Message[] => [
      ...exchange.messages,
      ...exchange.messages,
    ];
    expectTypeOf(collect).returns.toEqualTypeOf<readonly Message[]>();
    expectTypeOf<SampleExchange['messages'][number]>().toEqualTypeOf<Message>();
  });
});
