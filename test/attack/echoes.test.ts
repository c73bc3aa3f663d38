import { expect, it } from 'vitest';
import { bothEras } from '../mcp/kit/edge.ts';
import { startServer } from '../mcp/kit/in-process.ts';
import { testTools } from '../mcp/kit/tools.ts';

const long = 'x'.repeat(900_000);

const REQUESTS: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ['tools/call', { name: long }],
  ['tools/call', { name: 'echo', arguments: { [long]: 1 } }],
  ['tools/call', { name: 'echo', arguments: { text: { [long]: long } } }],
  ['tools/call', { name: 'echo', arguments: { text: 'x' }, requestState: long }],
  ['tools/list', { cursor: long }],
  ['resources/read', { uri: long }],
  ['prompts/get', { name: long }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: long }, argument: { name: 'x', value: '' } }],
  ['completion/complete', { ref: { type: long }, argument: { name: 'x', value: '' } }],
  ['logging/setLevel', { level: long }],
  [long, {}],
];

it('a refusal is short, however long what it refuses was', async () => {
  const running = await startServer({ tools: testTools().tools });
  for (const { era, request } of await bothEras(running.url)) {
    for (const [method, params] of REQUESTS) {
      // Headers hold no more than 16 KiB, so what a 2026-era client must repeat there never arrives.
      if (era === '2026' && [method, params.name, params.uri].includes(long)) continue;
      const answer = JSON.stringify(await request(method, params)) ?? '';
      expect(answer.length, `${era} ${method.slice(0, 30)}`).toBeLessThan(5_000);
    }
  }
});
