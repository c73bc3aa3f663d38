import { join } from 'node:path';
import { until } from 'effection';
import { createMcpResource } from 'parley-mcp';
import { expect, it } from 'vitest';
import { ForeignProtocolError } from '#src/core/errors/foreign-errors.ts';
import { bothEras } from './kit/edge.ts';
import { nodeServer, withServer } from './kit/foreign.ts';
import { startServer } from './kit/in-process.ts';
import { cli } from './kit/parley-serve.ts';

const failing = join(import.meta.dirname, 'kit/failing-tools.ts');

it('a tool of a server that fails with more than text fails so for whoever is offered it on', async () => {
  await withServer(nodeServer('back', cli, 'serve', failing), function* ({ tool }) {
    const running = yield* until(startServer({ tools: [tool('shows')] }));
    for (const { request } of yield* until(bothEras(running.url))) {
      const failed = yield* until(request('tools/call', { name: 'back__shows', arguments: {} }));
      expect(failed).toMatchObject({
        content: [
          { type: 'text', text: 'it looks so:' },
          { type: 'image', data: 'AAAA' },
        ],
        structuredContent: { at: 3 },
        _meta: { 'com.example/try': 1 },
        isError: true,
      });
    }
  });
});

it.each([
  [-32002, -32002, -32602],
  [-32602, -32002, -32602],
  [-32010, -32603, -32603],
])(
  'a resource that its server answers with %i for is answered with %i, in 2026-07-28 %i, and what it said',
  async (theirs, ...ours) => {
    const said = { code: theirs, data: { at: 3 } };
    const gone = createMcpResource('sea://wreck', 'A wreck').read(function* () {
      throw new ForeignProtocolError({ server: 'sea', said: 'it is gone', details: { said } });
    });
    const running = await startServer({ tools: [], resources: [gone] });
    for (const [at, { request }] of (await bothEras(running.url)).entries()) {
      const error = await request('resources/read', { uri: 'sea://wreck' });
      expect(error).toMatchObject({ code: ours[at], data: { code: 'FOREIGN_PROTOCOL', said } });
    }
  },
);
