import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The checkout. */
export const root = resolve(import.meta.dirname, '../../..');

/** The command line program: the built one when PARLEY_CLI names it, else from source. */
export const cli = process.env.PARLEY_CLI ?? join(root, 'src/cli/main.ts');

/** The tool that books a flight, with its views: what people write. */
export const bookFlight = join(root, 'examples/workspace/.parley/tools/book-flight/plugin.ts');

/** A server in a process of its own. */
export interface Served {
  readonly url: URL;
  readonly token: string | undefined;
  readonly child: ChildProcess;
  stderr(): string;
  /** Ends it with a signal, and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `parley serve --http --json` and waits until it is ready. */
export async function serveHttp(modules: readonly string[], ...flags: readonly string[]): Promise<Served> {
  return await served([cli, 'serve', '--http', '--json', ...flags, ...modules]);
}

/** Starts a server with Node that says its address, as JSON, on a line once it is ready. */
export async function served(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, token: said } = JSON.parse(line) as { url: string; token?: string };
    const [, file] = args.slice(args.indexOf('--token-file'));
    const token = args.includes('--token-file') && file ? readFileSync(file, 'utf8').trim() : said;
    return {
      url: new URL(url),
      token,
      child,
      stderr: () => stderr,
      async stop(signal = 'SIGTERM') {
        child.kill(signal);
        const [code] = (await exited) as [number | null];
        return code;
      },
    };
  }
  throw new Error(`the server ended before it was ready: ${stderr}`);
}
