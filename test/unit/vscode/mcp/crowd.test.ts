import { until } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import { drive } from '#src/runtime/drive/drive.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { ask, envelope } from '#test/mcp/kit/wire.ts';
import { asking, inWindow } from './window-kit.ts';

describe('a client that leaves hundreds of questions open', () => {
  it('does not keep the person in the editor from running a tool', () =>
    inWindow(
      function* ({ server, manager, adopted }) {
        const { url, token } = yield* server.forClient('Cursor');
        const authorization = `Bearer ${token}`;
        const call = { name: 'shipped', arguments: {}, _meta: envelope({ elicitation: { form: {} } }) };
        const calls = () => ask(new URL(url), 'tools/call', call, { authorization });
        for (let n = 0; n < 400; n += 50) {
          const answers = yield* until(Promise.all(Array.from({ length: 50 }, calls)));
          for (const answer of answers) expect(answer.result.resultType).toBe('input_required');
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
