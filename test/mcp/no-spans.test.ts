import { createMcpTool } from 'parley-mcp';
import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { ask, envelope } from './kit/wire.ts';

const loaded: string[] = [];
vi.mock('@opentelemetry/api', () => {
  loaded.push('the API');
  return {};
});
vi.mock('#src/mcp/trace/call-metrics.ts', () => {
  loaded.push('the metrics');
  return {};
});
vi.mock('#src/mcp/trace/call-spans.ts', () => {
  loaded.push('the spans');
  return {};
});

const plain = createMcpTool('plain')
  .description('Says yes')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return 'yes';
  });

it('loads nothing of OpenTelemetry and makes no span while nobody listens, also in a trace', async () => {
  const running = await startServer({ tools: [plain] });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const params = { name: 'plain', arguments: {}, _meta: envelope(undefined, { traceparent }) };
  const { result } = await ask(running.url, 'tools/call', params);
  expect(result.content).toMatchObject([{ text: 'yes' }]);
  expect(loaded).toEqual([]);
});
