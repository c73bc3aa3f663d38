import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  createMcpTool,
  ElicitationCancelledError,
  ElicitationDeclinedError,
  type ElicitRequest,
  McpCapabilityError,
  McpDisconnectError,
  McpTimeoutError,
  type Message,
  makePlugin,
} from '#src/core/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';

const start = createMcpTool('book_flight')
  .description('Book a flight with user confirmation')
  .parameters(z.object({ from: z.string(), destination: z.string() }));
const route = { from: 'NYC', destination: 'LAX' };
const accept = <C>(content: C) => ({ action: 'accept', content }) as const;

describe('the API as it was designed', () => {
  it('books in three phases, with questions known at run time, a sampling between them, and one result', async () => {
    const seen: string[] = [];
    const bookFlight = start
      .requires({ elicitation: true, sampling: true })
      .elicits({})
      .handoff({
        *before({ destination }) {
          seen.push('before');
          return { flights: [`${destination} 123`] };
        },
        *client(handoff, ctx) {
          yield* ctx.log('info', 'Found available flights');
          yield* ctx.notify('Searching', 0.5);
          const selection = yield* ctx.elicit({
            message: `Found ${handoff.flights.length} flights. Pick one:`,
            schema: z.object({ flightId: z.string(), seatPreference: z.enum(['window', 'aisle', 'none']) }),
          });
          switch (selection.action) {
            case 'decline':
              return { cancelled: true, reason: 'user_declined' } as const;
            case 'cancel':
              return { cancelled: true, reason: 'user_dismissed' } as const;
            case 'accept':
          }
          const summary = yield* ctx.sample({
            prompt: `Summarize flight ${selection.content.flightId}`,
            systemPrompt: 'Be brief.',
            maxTokens: 100,
            modelPreferences: { hints: [{ name: 'small' }], costPriority: 1 },
          });
          return { cancelled: false, flightId: selection.content.flightId, summary: summary.text } as const;
        },
        *after(handoff, clientResult) {
          seen.push('after');
          if (clientResult.cancelled) return `Booking cancelled: ${clientResult.reason}`;
          return `Booked ${clientResult.flightId} of ${handoff.flights.length}: ${clientResult.summary}`;
        },
      });
    const mockClient = createMockMcpClient({
      elicitResponses: [accept({ flightId: 'FL123', seatPreference: 'aisle' })],
      sampleResponses: ['departs at 10am'],
    });
    expect(await runMcpTool(bookFlight, route, mockClient)).toBe('Booked FL123 of 1: departs at 10am');
    expect(seen).toEqual(['before', 'after']);
    const declining = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
    expect(await runMcpTool(bookFlight, route, declining)).toBe('Booking cancelled: user_declined');
    const mute = createMockMcpClient({ capabilities: { elicitation: { form: true } } });
    const refused = runMcpTool(bookFlight, route, mute);
    await expect(refused).rejects.toThrow(McpCapabilityError);
    await expect(runMcpTool(bookFlight, route, mute)).rejects.toMatchObject({ capability: 'sampling' });
  });

  it('hands every field of a question, its context and the parameters to the handlers of a plugin', async () => {
    const tool = start
      .elicits({ pickFlight: z.object({ flightId: z.string() }), confirm: z.object({ ok: z.boolean() }) })
      .execute(function* (_params, ctx) {
        const flight = yield* ctx.elicit('pickFlight', { message: 'Select your flight', flights: ['FL123'] });
        const sure = yield* ctx.elicit('confirm', { message: 'Sure?' });
        return [flight.action === 'accept' ? flight.content.flightId : undefined, sure.action];
      });
    function FlightList(_: {
      flights: unknown;
      message: string;
      onRespond(value: { flightId: string }): void;
    }) {}
    function Confirm(_: { message: string; onRespond(value: boolean): void }) {}
    const requests: unknown[] = [];
    const plugin = makePlugin(tool)
      .onElicit({
        pickFlight: function* (req, ctx) {
          const { schema, ...plain }: ElicitRequest<typeof tool, 'pickFlight'> = req;
          requests.push(plain, schema.zod, ctx.callId, ctx.elicitRequest === req, ctx.signal.aborted);
          yield* ctx.reportProgress('drawing');
          const result = yield* ctx.render(FlightList, { flights: req.flights, message: req.message });
          return { action: 'accept', content: result };
        },
        confirm: function* (req, ctx) {
          const ok = yield* ctx.render(Confirm, { message: req.message });
          return { action: ok ? 'accept' : 'decline', content: { ok } };
        },
      })
      .build();
    expect(plugin.server.tools).toEqual([tool]);
    const client = createMockMcpClient({
      viewResponses: { FlightList: { flightId: 'FL123' }, Confirm: false },
    });
    expect(await runMcpTool(plugin, route, client)).toEqual(['FL123', 'decline']);
    const ref = { toolName: 'book_flight', key: 'pickFlight', callId: 'test', seq: 1 };
    expect(requests).toEqual([
      {
        ...ref,
        id: ref,
        askId: expect.any(String),
        message: 'Select your flight',
        params: route,
        handoff: undefined,
        flights: ['FL123'],
        attempt: 1,
        values: {},
      },
      (tool.def.elicits.pickFlight as { response: unknown }).response,
      'test',
      true,
      false,
    ]);
  });

  it('gives the content itself where asked strictly, and throws or asks again for a no', async () => {
    const tool = start.elicits({ confirm: z.object({ ok: z.boolean() }) }).execute(function* ({ from }, ctx) {
      const message = `Sure, ${from}?`;
      if (from === 'retry') {
        const result = yield* ctx.elicit.withRetry({
          message,
          schema: z.object({ choice: z.string() }),
          maxAttempts: 3,
          onDecline: 'retry',
        });
        return result.action === 'accept' ? result.content.choice : result.action;
      }
      const { ok } = yield* ctx.elicit.strict('confirm', { message });
      return ok;
    });
    const answered = (from: string, ...elicitResponses: NonNullable<Answers>) =>
      runMcpTool(tool, { ...route, from }, createMockMcpClient({ elicitResponses }));
    expect(await answered('strict', accept({ ok: true }))).toBe(true);
    await expect(answered('strict', { action: 'decline' })).rejects.toThrow(ElicitationDeclinedError);
    await expect(answered('strict', { action: 'cancel' })).rejects.toThrow(ElicitationCancelledError);
    expect(await answered('retry', { action: 'decline' }, accept({ choice: 'b' }))).toBe('b');
  });

  it('lets a tool catch a time-out and a disconnect where it asked', async () => {
    const tool = start.elicits({ confirm: z.object({ ok: z.boolean() }) }).execute(function* (_params, ctx) {
      try {
        return yield* ctx.elicit('confirm', { message: 'Sure?' });
      } catch (e) {
        if (e instanceof McpTimeoutError) return { error: 'timeout' };
        if (e instanceof McpDisconnectError) return { error: 'disconnected' };
        throw e;
      }
    });
    const failing = (error: Error) => createMockMcpClient({ elicitResponses: [error] });
    expect(
      await runMcpTool(tool, route, failing(new McpTimeoutError({ what: 'the question', timeout: 10 }))),
    ).toEqual({
      error: 'timeout',
    });
    expect(await runMcpTool(tool, route, failing(new McpDisconnectError({ client: 'the client' })))).toEqual({
      error: 'disconnected',
    });
  });

  it('samples data through the reserved tool, and every exchange joins one history', async () => {
    const history: Message[] = [];
    const tool = start.elicits({ confirm: z.object({ ok: z.boolean() }) }).execute(function* (_params, ctx) {
      const move = yield* ctx.sample({ prompt: 'Your move', schema: z.object({ cell: z.number() }) });
      const raw = yield* ctx.sample({ prompt: 'Why?' });
      const sure = yield* ctx.elicit('confirm', { message: 'Sure?' });
      for (const { exchange } of [move, raw]) history.push(...exchange.messages);
      if (sure.action === 'accept') history.push(...sure.exchange.messages);
      return [move.exchange.parsed, raw.exchange.parsed, move.exchange.response.role];
    });
    const client = createMockMcpClient({
      sampleResponses: [
        {
          content: [{ type: 'tool_use', id: 'call_1', name: '__schema__', input: { cell: 4 } }],
          stopReason: 'toolUse',
        },
        'It is the middle.',
      ],
      elicitResponses: [accept({ ok: true })],
    });
    const op = () => runMcpTool(tool, route, client);
    // The result of a call is JSON.
    expect(await run(op)).toEqual([{ cell: 4 }, null, 'assistant']);
    expect(client.transcript[0]).toMatchObject({
      request: {
        tools: [
          {
            name: '__schema__',
            description: 'Respond with structured data matching this schema.',
            inputSchema: { type: 'object', properties: { cell: { type: 'number' } } },
          },
        ],
        toolChoice: { mode: 'required' },
      },
    });
    expect(history.map(({ role }) => role)).toEqual(
      'user assistant user user assistant assistant user'.split(' '),
    );
    expect(history[2]).toMatchObject({ content: [{ type: 'tool_result', toolUseId: 'call_1' }] });
  });
});

type Answers = Extract<
  NonNullable<Parameters<typeof createMockMcpClient>[0]>['elicitResponses'],
  readonly unknown[]
>;
