import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server of the bench, and what it has cost so far: microseconds of CPU, and bytes. */
export interface BenchServer {
  readonly port: number;
  readonly child: ChildProcess;
  cpu(): Promise<number>;
  memory(): Promise<number>;
  stop(): void;
}

/** Starts a server in a process of its own. */
export async function startServer(kind: string, transport: 'http' | 'stdio'): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'mcp-server.ts'), [kind, transport], {
    execArgv: ['--expose-gc'],
    stdio: [
      transport === 'stdio' ? 'pipe' : 'ignore',
      transport === 'stdio' ? 'pipe' : 'ignore',
      'inherit',
      'ipc',
    ],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const ask = async (what: 'cpu' | 'memory'): Promise<number> => {
    const answered = once(child, 'message');
    child.send(what);
    return (await answered)[0];
  };
  return {
    port,
    child,
    cpu: () => ask('cpu'),
    memory: () => ask('memory'),
    stop: () => child.disconnect(),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Posted {
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** One POST; `seen` gets the body as it comes. */
export function post(
  port: number,
  headers: Record<string, string>,
  body: unknown,
  seen?: (text: string) => void,
): Promise<Posted> {
  const path = '/mcp';
  return new Promise((resolve, reject) => {
    const req = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => {
          text += chunk;
          seen?.(text);
        });
        res.on('end', () => resolve({ headers: res.headers, text }));
        res.on('error', reject);
      },
    );
    req.on('error', (error: NodeJS.ErrnoException) => {
      // A server closes connections that idle while the others take their turns.
      if (req.reusedSocket && error.code === 'ECONNRESET') resolve(post(port, headers, body, seen));
      else reject(error);
    });
    req.end(JSON.stringify(body));
  });
}

/** Opens a session of the 2025 era; gives what its requests carry. */
export async function handshake(port: number): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'bench', version: '1' },
  };
  const { headers } = await post(port, {}, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = {
    'mcp-session-id': String(headers['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  };
  await post(port, session, { jsonrpc: '2.0', method: 'notifications/initialized' });
  return session;
}

/** Headers and `_meta` of a request of the 2026 era. */
export const STATELESS = {
  headers: (name: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }),
  meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  },
};

/** Asks over stdio, one request at a time. */
export async function stdioCaller({ child }: BenchServer): Promise<(message: object) => Promise<string>> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('the server has no pipes');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let id = 0;
  const call = async (message: object) => {
    const own = ++id;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, ...message })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the server ended');
      if ((JSON.parse(value) as { id?: unknown }).id === own) return value;
    }
  };
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  await call({ method: 'initialize', params });
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return call;
}
