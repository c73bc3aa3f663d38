import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type InProcess, startServer } from './kit/in-process.ts';
import { asking, call, failing, row, said, secret } from './kit/secretive-tools.ts';
import { ask, openSession } from './kit/wire.ts';

const asks = {
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'asks',
};

let running: InProcess | undefined;
let provider: MeterProvider;
let reader: PeriodicExportingMetricReader;

beforeEach(() => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
});

afterEach(async () => {
  await running?.close();
  running = undefined;
  metrics.disable();
  await provider.shutdown();
});

/** What has been counted under a name, without what is 0. */
async function counted(name: string): Promise<DataPoint<unknown>[]> {
  const { resourceMetrics } = await reader.collect();
  const found = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  return found
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap(({ dataPoints }): DataPoint<unknown>[] => dataPoints)
    .filter(({ value }) => value !== 0);
}

const shortly = async (name: string, points: readonly object[]) =>
  await vi.waitFor(async () =>
    expect((await counted(name)).map(({ attributes, value }) => ({ attributes, value }))).toEqual(points),
  );

async function play2025(url: URL, meanwhile: (state: string) => Promise<void>): Promise<void> {
  const session = await openSession(url);
  const reply = await session.request(1, 'tools/call', call);
  const seat = await reply.until(({ method }) => method === 'elicitation/create');
  await meanwhile('waiting');
  await session.answer(seat.id ?? '', row);
  const sample = await reply.until(({ method }) => method === 'sampling/createMessage');
  await session.answer(sample.id ?? '', said);
  await reply.until(({ result }) => result !== undefined);
}

async function play2026(url: URL, meanwhile: (state: string) => Promise<void>): Promise<void> {
  const leg = async (state: object) => (await ask(url, 'tools/call', { ...call, ...state })).result;
  const first = await leg({});
  await meanwhile('waiting');
  const second = await leg({ requestState: first.requestState, inputResponses: { seat: row } });
  await leg({ requestState: second.requestState, inputResponses: { 'sample#1': said } });
}

describe.each([
  ['2025', play2025],
  ['2026', play2026],
] as const)('a call in the era of %s, while somebody measures', (_era, play) => {
  it('is counted while it waits, and at its end with what it sampled and how long it took', async () => {
    running = await startServer({ tools: [asking] });
    await play(running.url, async (state) => {
      await shortly('parley.calls.open', [{ attributes: { ...asks, 'parley.call.state': state }, value: 1 }]);
    });
    await shortly('parley.calls', [{ attributes: { ...asks, 'parley.outcome': 'result' }, value: 1 }]);
    await shortly('parley.calls.open', []);
    await shortly('parley.samplings', [{ attributes: { ...asks, 'parley.outcome': 'answered' }, value: 1 }]);
    const [took] = await counted('parley.call.duration');
    expect(took?.attributes).toEqual({ ...asks, 'parley.outcome': 'result' });
    expect(took?.value).toMatchObject({ count: 1 });
  });

  it('says nothing of what was asked, answered or made, and of nobody', async () => {
    const tokens = [{ token: 'token-of-ada', principal: { name: 'ada' } }];
    running = await startServer({ tools: [asking] });
    await play(running.url, async () => {});
    await running.close();
    running = await startServer({ tools: [asking] }, { tokens });
    await ask(running.url, 'tools/call', call, { authorization: 'Bearer token-of-ada' });
    const all = JSON.stringify(await reader.collect());
    expect(all).toContain('gen_ai.tool.name');
    expect(all).not.toContain(secret);
    expect(all).not.toContain('ada');
  });
});

describe('calls are counted', () => {
  const outcome = (name: string, how: string) => ({
    attributes: { ...asks, 'gen_ai.tool.name': name, 'parley.outcome': how },
    value: 1,
  });

  it('that fail, and that cannot begin', async () => {
    running = await startServer({ tools: [asking, failing] });
    await ask(running.url, 'tools/call', { name: 'fails', arguments: {} });
    await ask(running.url, 'tools/call', { name: 'asks', arguments: { wish: 7 } });
    await shortly('parley.calls', [outcome('fails', 'error'), outcome('asks', 'refused')]);
    await shortly('parley.calls.open', []);
  });

  it('that are stopped while they wait', async () => {
    running = await startServer({ tools: [asking] });
    await ask(running.url, 'tools/call', call);
    await running.close();
    running = undefined;
    await shortly('parley.calls', [outcome('asks', 'aborted')]);
    await shortly('parley.calls.open', []);
  });

  it('that wait in a store as put away, and their samplings once', async () => {
    running = await startServer({ tools: [asking], state: createMemoryStore() });
    await play2026(running.url, async () => await shortly('parley.calls.open', []));
    await shortly('parley.calls', [{ ...outcome('asks', 'released'), value: 2 }, outcome('asks', 'result')]);
    await shortly('parley.samplings', [outcome('asks', 'answered')]);
  });

  it('in no server that was told so, such as that of an editor: its provider is somebody else’s', async () => {
    running = await startServer({ tools: [failing], spans: false });
    await ask(running.url, 'tools/call', { name: 'fails', arguments: {} });
    expect(await counted('parley.calls')).toEqual([]);
  });
});
