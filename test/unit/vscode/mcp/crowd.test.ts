import { until } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { asking, inWindow } from './window-kit.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'crowd', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

describe('a client that leaves hundreds of questions open', () => {
  it('does not keep the person in the editor from running a tool', () =>
    inWindow(
      function* ({ server, manager, adopted }) {
        const { url, token } = yield* server.forClient('Cursor');
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'shipped',
        };
        const ask = async (id: number) => {
          const params = { name: 'shipped', arguments: {}, _meta: meta };
          const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
          return await (await fetch(url, { method: 'POST', headers, body })).text();
        };
        for (let n = 0; n < 400; n += 50) {
          const answers = yield* until(Promise.all(Array.from({ length: 50 }, (_, at) => ask(n + at))));
          for (const answer of answers) expect(answer).toContain('input_required');
        }
        expect(adopted).toHaveLength(400);
        yield* until(vi.waitFor(() => expect(manager.listActive()).toHaveLength(200)));

        const session = yield* manager.create({ tool: asking('mine'), params: {} });
        const me = createMockMcpClient({
          elicitResponses: [{ action: 'accept', content: { name: 'me' } }],
        });
        expect(yield* drive(session, me, 'end')).toMatchObject({ value: 'answered by me' });
      },
      { surfaces: { elicitation: 'client' } },
    ));
});
