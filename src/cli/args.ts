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
      /** Names in `Host` beside loopback ones and `host`, without port. */
      readonly allowHosts: readonly string[];
      /** Origins that may call, beside loopback ones. */
      readonly allowOrigins: readonly string[];
      /** Longest request body, bytes. */
      readonly maxBody: number | undefined;
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
      --allow-host NAME      also serve requests whose Host is NAME, such as the name of a proxy; may be repeated
      --allow-origin ORIGIN  also let pages of ORIGIN call, such as https://example.com; may be repeated
      --max-body 1M          longest request body, in bytes, or with K or M
      --json                 print one line of JSON when ready: {"url":…,"token":…}
  parley check MODULE…                                 say what is wrong with the definitions in modules
  parley manifest MODULE…                              print tools, prompts and resources with their schemas
  parley --version | --help

MODULE is a TypeScript or JavaScript file, or a folder: then all tools in its .parley/tools. parley-mcp, effection and zod need not be installed.`;

/** A body is one piece of memory, and more than this no tool takes. */
const MAX_BODY = 256 * 1024 ** 2;

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

  return { kind, modules, serve: httpOptions(values) };
}

function httpOptions(values: ReturnType<typeof read>['values']): ServeOptions {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port is a number from 0 to 65535, not '${values.port}'`);
  }
  const file = values['token-file'];
  if (values['no-token'] && file !== undefined) {
    throw new UsageError('--token-file and --no-token exclude each other');
  }
  if (values['no-token'] && !LOOPBACK.includes(values.host)) {
    throw new UsageError('--no-token is for loopback addresses only: others could run your tools');
  }
  return {
    transport: 'http',
    isolation: isolationOf(values.isolation ?? 'worker'),
    host: values.host,
    port,
    token: values['no-token'] ? 'none' : file === undefined ? 'new' : { file },
    json: values.json,
    allowHosts: values['allow-host'].map(hostName),
    allowOrigins: values['allow-origin'].map(origin),
    maxBody: values['max-body'] === undefined ? undefined : bytes(values['max-body']),
  };
}

function hostName(given: string): string {
  const url = URL.canParse(`http://${given}`) ? new URL(`http://${given}`) : undefined;
  if (url && url.hostname === given.toLowerCase()) return url.hostname;
  throw new UsageError(
    `--allow-host is a name without scheme or port, such as tools.example.com, not '${given}'`,
  );
}

function origin(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && url.origin === given.toLowerCase()) return url.origin;
  throw new UsageError(`--allow-origin is a scheme and a host, such as https://example.com, not '${given}'`);
}

function bytes(given: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([km]?)$/i.exec(given) ?? [];
  const size = Number(digits) * { '': 1, k: 1024, m: 1024 ** 2 }[unit.toLowerCase() as '' | 'k' | 'm'];
  if (size >= 1024 && size <= MAX_BODY) return size;
  throw new UsageError(`--max-body is a number of bytes, 1K to 256M, not '${given}'`);
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
        'allow-host': { type: 'string', multiple: true, default: [] },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        'max-body': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
