/**
 * A server of 2025-11-25 on stdio whose tools are what the file of its first argument says, read anew each time that they are
 * listed. It writes its process to the file of its second argument, and adds a line `twice` where another one still runs.
 */
import { appendFileSync, existsSync, readFileSync, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , saidFile = '', processesFile = ''] = process.argv;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const before = existsSync(processesFile) ? readFileSync(processesFile, 'utf8').split('\n') : [];
const running = before.filter((line) => /^\d+$/.test(line)).some((line) => isAlive(Number(line)));
appendFileSync(processesFile, `${process.pid}\n${running ? 'twice\n' : ''}`);

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const said = () => JSON.parse(readFileSync(saidFile, 'utf8')) as readonly object[];
const inputSchema = { type: 'object', properties: {} };

const answers: Readonly<Record<string, () => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'shifty', version: '1' },
  }),
  'tools/list': () => ({ tools: said().map((tool) => ({ inputSchema, ...tool })) }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'sent' }] }),
  ping: () => ({}),
};

watchFile(saidFile, { interval: 100 }, () => send({ method: 'notifications/tools/list_changed' }));
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method = '' } = JSON.parse(line) as { id?: number; method?: string };
    if (id === undefined) return;
    const answer = answers[method];
    if (answer) send({ id, result: answer() });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => process.exit(0));
