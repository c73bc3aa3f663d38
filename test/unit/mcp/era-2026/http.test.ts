import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { createHost } from '#src/mcp/create-host.ts';
import { Http2026 } from '#src/mcp/era-2026/http-2026.ts';
import { HTTP_LIMITS } from '#src/mcp/http/limits.ts';
import { ask, stateless } from '../../../mcp/kit/wire.ts';

const asks = createMcpTool('asks')
  .description('Asks')
  .parameters(z.object({}))
  .elicits({ row: z.object({ row: z.string() }) })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('row', { message: 'Which row?' });
  });

const waits = createMcpTool('waits')
  .description('Waits')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    yield* suspend();
  });

/** An endpoint that remembers so many principals, whose name each request brings along, and how many it has something of. */
async function start(maxPrincipals: number) {
  const source = createHost({ name: 'test', version: '1.0.0', tools: [asks, waits] }, () => {});
  onTestFinished(() => source.close());
  const { host, calls } = await source.get();
  const endpoint = new Http2026(host, calls, { ...HTTP_LIMITS, maxPrincipals });
  onTestFinished(() => endpoint.close());
  const http: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = await req.toArray();
    await endpoint.handle(
      req,
      res,
      { name: String(req.headers.who) },
      JSON.parse(Buffer.concat(chunks).toString()),
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const call = (who: string, name: string, more: object = {}) =>
    ask(url, 'tools/call', { name, arguments: {}, ...more }, { who });
  return { url, call, endpoint, host };
}

const accepted = { inputResponses: { row: { action: 'accept', content: { row: '7' } } } };

describe('an endpoint with more principals than it remembers', () => {
  it('keeps something of so many of them as it may, and serves them all', async () => {
    const { call, endpoint } = await start(3);
    for (let at = 0; at < 20; at++) {
      const { result } = await call(`subject-${at}`, 'asks');
      expect(result.resultType).toBe('input_required');
    }
    expect(endpoint.size).toBe(3);
  });

  it('goes on with a call of one who was forgotten', async () => {
    const { call, endpoint } = await start(1);
    const { result } = await call('ada', 'asks');
    await call('bob', 'asks');
    expect(endpoint.size).toBe(1);
    const end = await call('ada', 'asks', { requestState: result.requestState, ...accepted });
    expect(end.result.resultType).toBe('complete');
  });

  it('forgets nobody whose request is open', async () => {
    const { url, call, endpoint, host } = await start(1);
    const open = stateless(url, 'tools/call', { name: 'waits', arguments: {} }, { who: 'ada' }).catch(
      () => {},
    );
    await vi.waitFor(() => expect(host.manager.listActive()).toHaveLength(1));
    await call('bob', 'asks');
    await call('eve', 'asks');
    expect(endpoint.size).toBe(2);
    expect(host.manager.listActive().some(({ toolName }) => toolName === 'waits')).toBe(true);
    (await Promise.race([open, undefined]))?.drop();
  });

  it('ends the calls of one who was forgotten when they are dismissed', async () => {
    const { call, endpoint } = await start(1);
    const { result } = await call('ada', 'asks');
    await call('bob', 'asks');
    await endpoint.dismiss('ada', 'the login is over');
    const late = await call('ada', 'asks', { requestState: result.requestState, ...accepted });
    expect(late.result?.resultType).not.toBe('complete');
  });
});
