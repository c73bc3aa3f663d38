import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { type Collected, startCollector } from './kit/collector.ts';
import { serveHttp } from './kit/parley-serve.ts';
import { openSession } from './kit/wire.ts';

const asking = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const asks = createMcpTool('asks').description('Asks').parameters(z.object({ wish: z.string() }))
  .elicits({ seat: z.object({ row: z.string() }) })
  .execute(function* ({ wish }, ctx) {
    yield* ctx.elicit('seat', { message: wish });
    yield* ctx.step('book ' + wish, () => wish);
    return (yield* ctx.sample({ prompt: wish })).text;
  });
`;

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const agent = '00f067aa0ba902b7';
const secret = 'the fourth row, please';

it.each(inRings(['worker'], ['host']))(
  'a collector gets one trace of a call of a tool in a %s, and no word of what was said',
  async (isolation) => {
    const folder = tempFolder();
    const module = join(folder, 'asks.ts');
    await writeFile(module, asking);
    const collector = await startCollector();
    onTestFinished(collector.close);
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.endpoint);
    vi.stubEnv('NODE_OPTIONS', `--import ${new URL('./kit/tracing.ts', import.meta.url).href}`);
    const served = await serveHttp([module], '--isolation', isolation).finally(() => vi.unstubAllEnvs());
    onTestFinished(async () => void (await served.stop('SIGKILL')));

    const session = await openSession(served.url, undefined, { authorization: `Bearer ${served.token}` });
    const reply = await session.request(1, 'tools/call', {
      name: 'asks',
      arguments: { wish: secret },
      _meta: { traceparent: `00-${traceId}-${agent}-01` },
    });
    const seat = await reply.until(({ method }) => method === 'elicitation/create');
    await session.answer(seat.id ?? '', { action: 'accept', content: { row: secret } });
    const sample = await reply.until(({ method }) => method === 'sampling/createMessage');
    const content = { type: 'text', text: secret };
    await session.answer(sample.id ?? '', { role: 'assistant', model: 'm-1', content });
    await reply.until(({ result }) => result !== undefined);

    await vi.waitFor(() => expect(collector.spans).toHaveLength(4), 10_000);
    const named = (name: string): Collected | undefined => collector.spans.find((span) => span.name === name);
    const call = named('tools/call asks');
    expect(call).toMatchObject({ traceId, parentSpanId: agent });
    for (const name of ['elicitation/create', 'step', 'sampling/createMessage']) {
      expect(named(name), name).toMatchObject({ traceId, parentSpanId: call?.spanId });
    }
    // What was sent along with the questions is where they stand in the trace.
    expect(seat.params._meta.traceparent).toBe(`00-${traceId}-${named('elicitation/create')?.spanId}-01`);
    expect(sample.params._meta.traceparent).toBe(
      `00-${traceId}-${named('sampling/createMessage')?.spanId}-01`,
    );
    expect(collector.text()).not.toContain(secret);
  },
);
