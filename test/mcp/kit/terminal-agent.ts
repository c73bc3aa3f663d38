import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cli } from './parley-serve.ts';
import type { Message } from './wire.ts';

/** A client in a terminal of a server on stdio, which has called a tool. */
export interface TerminalClient {
  readonly child: ChildProcess;
  say(message: object): void;
  /** What it hears that fits, then or before. */
  hears(fits: (message: Message) => boolean): Promise<Message>;
  /** Ends its server at once, if it runs. */
  kill(): Promise<void>;
}

/** The same for an agent that asks with forms. */
export interface TerminalAgent extends TerminalClient {
  /** The first question that it was asked. */
  readonly asked: Message;
}

interface Starting {
  readonly flags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

interface CallParams {
  readonly name: string;
  readonly arguments: object;
}

/** Starts the server of a module, and calls its tool. */
export async function startTerminalAgent(
  module: string,
  params: CallParams,
  starting: Starting,
): Promise<TerminalAgent> {
  const client = await startTerminalClient(module, params, starting, 'claude-code', { elicitation: {} });
  return { ...client, asked: await client.hears(({ method }) => method === 'elicitation/create') };
}

/** The same for an agent that does not draw forms. */
export async function startTerminalClient(
  module: string,
  params: CallParams,
  { flags = [], ...options }: Starting,
  name = 'opencode',
  capabilities = {},
): Promise<TerminalClient> {
  const child = spawn(process.execPath, [cli, 'serve', ...flags, module], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
    env: { ...process.env, ...options.env },
  });
  const heard: Message[] = [];
  const lookers = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.push(JSON.parse(line) as Message);
    for (const look of [...lookers]) look();
  });
  const say = (message: object) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const hears = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => {
      const look = () => {
        const found = heard.find(fits);
        if (found) resolve(found);
        else lookers.add(look);
      };
      look();
    });
  say({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name, version: '1' },
    },
  });
  await hears(({ id }) => id === 0);
  say({ method: 'notifications/initialized' });
  say({ id: 1, method: 'tools/call', params });
  return {
    ...{ child, say, hears },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}
