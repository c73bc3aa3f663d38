import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { context, trace as telemetry } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { answerForm } from '#src/panel-port/index.ts';
import { drawPage, showsPages } from './kit/drawn-page.ts';
import { withServer } from './kit/foreign.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { asking, call, failing, row, said, secret } from './kit/secretive-tools.ts';
import { ask, envelope, openSession } from './kit/wire.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const stepping = createMcpTool('steps')
  .description('Takes two steps')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.step(secret, () => 1);
    yield* ctx.step(secret, () => {
      throw new Error(secret);
    });
  });

const exporter = new InMemorySpanExporter();
let running: InProcess | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
  telemetry.disable();
  context.disable();
  exporter.reset();
});

function listen(): void {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  telemetry.setGlobalTracerProvider(provider);
}

const spanCalled = (name: string): ReadableSpan => {
  const span = exporter.getFinishedSpans().find((one) => one.name === name);
  if (!span) throw new Error(`there is no span ${name}`);
  return span;
};
const written = (span: ReadableSpan) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`;

/** Plays the call; gives the traceparent of its question and of its sampling. */
async function play2025(url: URL): Promise<unknown[]> {
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', { ...call, _meta: { traceparent } });
  const seat = await reply.until(({ method }) => method === 'elicitation/create');
  await session.answer(seat.id ?? '', row);
  const sample = await reply.until(({ method }) => method === 'sampling/createMessage');
  await session.answer(sample.id ?? '', said);
  await reply.until(({ result }) => result !== undefined);
  return [seat.params._meta.traceparent, sample.params._meta.traceparent];
}

async function play2026(url: URL): Promise<unknown[]> {
  const params = { ...call, _meta: envelope(undefined, { traceparent }) };
  const leg = async (state: object) => (await ask(url, 'tools/call', { ...params, ...state })).result;
  const first = await leg({});
  const second = await leg({ requestState: first.requestState, inputResponses: { seat: row } });
  await leg({ requestState: second.requestState, inputResponses: { 'sample#1': said } });
  return [first.inputRequests.seat, second.inputRequests['sample#1']].map(
    ({ params: { _meta } }) => _meta.traceparent,
  );
}

describe.each([
  ['2025', play2025],
  ['2026', play2026],
] as const)('a call in the era of %s, while somebody listens', (_era, play) => {
  beforeEach(listen);

  it('is one trace from the request through the call to each question', async () => {
    running = await startServer({ tools: [asking] });
    const [seatSent, sampleSent] = await play(running.url);
    await vi.waitFor(() => expect(exporter.getFinishedSpans()).toHaveLength(3));
    const [server, seat, sample] = ['tools/call asks', 'elicitation/create', 'sampling/createMessage'].map(
      spanCalled,
    ) as [ReadableSpan, ReadableSpan, ReadableSpan];
    expect(server.parentSpanContext).toMatchObject({ traceId, spanId: '00f067aa0ba902b7', isRemote: true });
    expect(server.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'asks',
    });
    for (const span of [seat, sample]) {
      expect(span.parentSpanContext).toMatchObject({ traceId, spanId: server.spanContext().spanId });
    }
    expect(sample.attributes).toEqual({
      'mcp.method.name': 'sampling/createMessage',
      'gen_ai.request.max_tokens': 10,
      'gen_ai.response.model': 'm-1',
    });
    expect([seatSent, sampleSent]).toEqual([written(seat), written(sample)]);
  });

  it('says nothing of what was asked, answered or made', async () => {
    running = await startServer({ tools: [asking] });
    await play(running.url);
    await vi.waitFor(() => expect(exporter.getFinishedSpans()).toHaveLength(3));
    const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({
      ...{ name, attributes, events, status },
    }));
    expect(JSON.stringify(spans)).not.toContain(secret);
  });
});

describe('spans', () => {
  it('are made of steps, with how each ended and not what it was called', async () => {
    listen();
    running = await startServer({ tools: [stepping] });
    await ask(running.url, 'tools/call', {
      ...{ name: 'steps', arguments: {} },
      _meta: envelope(undefined, { traceparent }),
    });
    const call = spanCalled('tools/call steps').spanContext();
    const steps = exporter.getFinishedSpans().filter(({ name }) => name === 'step');
    expect(steps.map(({ attributes }) => attributes)).toEqual([
      { 'parley.step.id': 'step-1' },
      { 'parley.step.id': 'step-2', 'error.type': 'failed' },
    ]);
    for (const step of steps) expect(step.parentSpanContext).toMatchObject({ traceId, spanId: call.spanId });
  });

  it('are none in a server that was told so, such as that of an editor: its provider is somebody else’s', async () => {
    listen();
    running = await startServer({ tools: [asking], spans: false });
    const { result } = await ask(running.url, 'tools/call', {
      ...call,
      _meta: envelope(undefined, { traceparent }),
    });
    expect(result.inputRequests.seat.params._meta).toEqual({ traceparent });
    await running.close();
    running = undefined;
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('say that a call failed, without its message', async () => {
    listen();
    running = await startServer({ tools: [failing] });
    await ask(running.url, 'tools/call', { name: 'fails', arguments: {} });
    const { attributes, status } = spanCalled('tools/call fails');
    expect(attributes).toMatchObject({ 'error.type': 'tool_error' });
    expect(status).toEqual({ code: 2 });
  });

  it('end with a call that could not begin, and with one that is stopped at a question', async () => {
    listen();
    running = await startServer({ tools: [asking] });
    const bad = { name: 'asks', arguments: { wish: 7 } };
    await ask(running.url, 'tools/call', bad);
    expect(spanCalled('tools/call asks').attributes).toMatchObject({ 'error.type': 'refused' });
    exporter.reset();
    await ask(running.url, 'tools/call', call);
    await running.close();
    running = undefined;
    expect(spanCalled('elicitation/create').attributes).toHaveProperty('error.type');
    expect(spanCalled('tools/call asks').attributes).toMatchObject({ 'error.type': 'aborted' });
  });

  it('go on in a server whose tool a call uses', async () => {
    listen();
    const behind = await startServer({ tools: [failing] });
    try {
      const entry = { kind: 'http', name: 'behind', url: behind.url.href, headers: {} } as const;
      await withServer(entry, function* ({ tool }) {
        const front = yield* until(startServer({ tools: [tool('fails')] }));
        yield* until(
          ask(front.url, 'tools/call', {
            name: 'behind__fails',
            arguments: {},
            _meta: envelope(undefined, { traceparent }),
          }).finally(() => front.close()),
        );
      });
    } finally {
      await behind.close();
    }
    const front = spanCalled('tools/call behind__fails');
    expect(front.parentSpanContext).toMatchObject({ traceId });
    expect(spanCalled('tools/call fails').parentSpanContext).toMatchObject({
      traceId,
      spanId: front.spanContext().spanId,
    });
  });
});

describe('a call that is asked on pages, while somebody listens', () => {
  beforeEach(listen);

  it.each([
    ['while its request is open', 60_000],
    ['after its request was answered', 50],
  ])('is one trace with the answers of its pages, %s', async (_when, patience) => {
    running = await startServer({ tools: [asking], apps: { patience } });
    const client = new Client(
      { name: 'pages', version: '1' },
      { capabilities: { extensions: showsPages, sampling: {} } },
    );
    client.setRequestHandler(CreateMessageRequestSchema, () => said as never);
    await client.connect(new StreamableHTTPClientTransport(running.url));
    const result = client.callTool({ ...call, _meta: { traceparent } });
    if (patience < 1_000) await result;
    const page = await drawPage(client, 'asks');
    const { id } = await page.question(call.arguments);
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: secret } }));
    await vi.waitFor(() =>
      expect(exporter.getFinishedSpans().map(({ name }) => name)).toContain('tools/call asks'),
    );
    const [server, seat] = ['tools/call asks', 'elicitation/create'].map(spanCalled) as [
      ReadableSpan,
      ReadableSpan,
    ];
    expect(server.parentSpanContext).toMatchObject({ traceId, spanId: '00f067aa0ba902b7' });
    expect(seat.parentSpanContext).toMatchObject({ traceId, spanId: server.spanContext().spanId });
    expect(seat.attributes).not.toHaveProperty('error.type');
    await result;
    await client.close();
  });
});
