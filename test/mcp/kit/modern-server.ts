/**
 * A server of one era only, on stdio: `parley serve` with what it is given, except that it refuses how the other begins. REFUSES is
 * that; without it `initialize`, so that it is a server of 2026-07-28.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cli } from './parley-serve.ts';

const refused = process.env.REFUSES ?? 'initialize';
const only = refused === 'initialize' ? '2026-07-28' : '2025-11-25';
const server = spawn(process.execPath, [cli, 'serve', ...process.argv.slice(2)], {
  stdio: ['pipe', 'inherit', 'inherit'],
});
server.once('exit', (code) => process.exit(code ?? 1));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
  if (method === refused) {
    const error = { code: -32_601, message: `this server speaks ${only} only` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  } else server.stdin.write(`${line}\n`);
}
server.stdin.end();
