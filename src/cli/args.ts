import { parseArgs } from 'node:util';

/** What to do, as the command line says. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'check' | 'manifest'; readonly modules: readonly string[] }
  | { readonly kind: 'serve'; readonly modules: readonly string[]; readonly serve: ServeOptions };

/** Where tools run: in the thread of the server, or each file in a worker of its own. */
export type Isolation = 'host' | 'worker';

/** How `parley serve` serves. */
export type ServeOptions =
  | { readonly transport: 'stdio'; readonly isolation: Isolation }
  | {
      readonly transport: 'http';
      readonly isolation: Isolation;
      readonly host: string;
      readonly port: number;
      /** A file that holds the token, or gets a new one; a new one each time by default. */
      readonly token: { readonly file: string } | 'new' | 'none';
      readonly json: boolean;
    };

/** A command line that cannot be understood; its message says what to type instead. */
export class UsageError extends Error {}

/** The text of `parley --help`. */
export const USAGE = `parley: tools written once, for any MCP client

  parley serve [--stdio | --http] [options] MODULE…    serve the tools, prompts and resources of modules
      --http                 Streamable HTTP instead of stdio
      --host 127.0.0.1       address to listen on
      --port 0               port to listen on; 0 for one the system chooses
      --token-file FILE      read the bearer token from FILE, which is made when it is not there
      --no-token             let everybody on this machine in
      --isolation worker     each tool file in a thread of its own, the default with --http;
                             host, the default with --stdio: all in the server's thread
      --json                 print one line of JSON when ready: {"url":…,"token":…}
  parley check MODULE…                                 say what is wrong with the definitions in modules
  parley manifest MODULE…                              print tools, prompts and resources with their schemas
  parley --version | --help

MODULE is a TypeScript or JavaScript file, or a folder: then all tools in its .parley/tools. parley-mcp, effection and zod need not be installed.`;

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Reads a command line. @throws `UsageError` */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = read(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [kind, ...modules] = positionals;
  if (kind === undefined) return { kind: 'help' };
  if (kind !== 'serve' && kind !== 'check' && kind !== 'manifest') {
    throw new UsageError(`there is no command '${kind}'; there are serve, check and manifest`);
  }
  if (modules.length === 0) throw new UsageError(`parley ${kind} needs at least one MODULE`);
  if (kind !== 'serve') return { kind, modules };
  if (values.stdio && values.http) throw new UsageError('--stdio and --http exclude each other');
  const isolation = isolationOf(values.isolation ?? (values.http ? 'worker' : 'host'));
  if (!values.http) return { kind, modules, serve: { transport: 'stdio', isolation } };

  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port is a number from 0 to 65535, not '${values.port}'`);
  }
  if (values['no-token'] && values['token-file'] !== undefined) {
    throw new UsageError('--token-file and --no-token exclude each other');
  }
  if (values['no-token'] && !LOOPBACK.includes(values.host)) {
    throw new UsageError('--no-token is for loopback addresses only: others could run your tools');
  }
  const file = values['token-file'];
  const token = values['no-token'] ? 'none' : file === undefined ? 'new' : { file };
  return {
    kind,
    modules,
    serve: { transport: 'http', isolation, host: values.host, port, token, json: values.json },
  };
}

function isolationOf(value: string): Isolation {
  if (value === 'host' || value === 'worker') return value;
  throw new UsageError(`--isolation is worker or host, not '${value}'`);
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
        stdio: { type: 'boolean', default: false },
        http: { type: 'boolean', default: false },
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '0' },
        isolation: { type: 'string' },
        'token-file': { type: 'string' },
        'no-token': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
