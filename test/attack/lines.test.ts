import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cli, root } from '../mcp/kit/parley-serve.ts';
import { envelope } from '../mcp/kit/wire.ts';
import { figures, scaled } from './kit/scale.ts';

const wordCount = join(root, 'examples/workspace/.parley/tools/word-count.ts');

const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'resources/read', ''];
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.jsonValue({ maxDepth: 0 })),
    id: fc.oneof(fc.nat(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, fc.jsonValue({ maxDepth: 0 })),
    params: fc.record(
      {
        name: fc.constantFrom('word_count', '__proto__', 'constructor'),
        arguments: fc.jsonValue({ maxDepth: 3 }),
        inputResponses: fc.jsonValue({ maxDepth: 2 }),
        _meta: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(envelope())),
      },
      { requiredKeys: [] },
    ),
    result: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);
const nested = fc
  .nat(20_000)
  .map((depth) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":${'['.repeat(depth)}`);
const line = fc.oneof(
  { weight: 12, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: nested },
);

it('lines made of nonsense never end `parley serve` on stdio, nor keep it from answering', async () => {
  const child = spawn(process.execPath, [cli, 'serve', wordCount], { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const lines = fc.sample(line, scaled(500));
  for (const one of lines) {
    if (!child.stdin.write(`${one}\n`)) await once(child.stdin, 'drain');
  }
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'tools/list', params: { _meta: envelope() } })}\n`,
  );
  let answers = 0;
  for await (const text of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(text) as { id?: unknown; result?: { tools?: unknown } };
    answers += 1;
    expect(text).not.toContain('Maximum call stack');
    if (answer.id === 'last' && answer.result?.tools) break;
  }
  child.stdin.end();
  expect((await exited)[0]).toBe(0);
  expect(said).toBe('');
  figures('lines on stdio', { sent: lines.length, answers });
}, 900_000);
