// Stands between an agent and its server on stdio, and writes down each message: node tee.ts LOG COMMAND ARGS…
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log = '', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
const write = (from: string, text: string) =>
  appendFileSync(log, `${JSON.stringify({ at: Date.now(), from, text })}\n`);

write('starts', String(server.pid));
createInterface({ input: process.stdin }).on('line', (line) => write('agent', line));
process.stdin.pipe(server.stdin);
server.stdin.on('error', () => {});
createInterface({ input: server.stdout }).on('line', (line) => write('server', line));
server.stdout.pipe(process.stdout);
process.stdout.on('error', () => {});
createInterface({ input: server.stderr }).on('line', (line) => write('log', line));
server.on('exit', (code) => {
  write('ends', String(code));
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal));
