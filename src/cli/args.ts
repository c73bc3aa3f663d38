import { nearest } from '../core/messages/nearest.ts';
import { isLoopback } from '../core/page/page-address.ts';
import { defined } from '../core/schema/defined.ts';
import { isName } from '../core/tool/tool-checks.ts';
import type { Isolation } from '../isolation/host-side/realms/switching-realm.ts';
import type { McpServerOptions, OAuthOptions } from '../mcp/index.ts';
import { TEMPLATES, type Template } from '../workspace/scaffold/index.ts';
import { limitsOf, type ServeLimits } from './flags/limit-flags.ts';
import { oauthOf } from './flags/oauth-flags.ts';
import { readOptions, UsageError, type Values } from './options.ts';
import { type AgentSetup, agentSetups } from './setup/agents.ts';

/** What to do, as the command line says. */
export type Command =
  /** Of one command, or of all. */
  | { readonly kind: 'help'; readonly of?: string }
  /** Nothing was said, at a terminal. */
  | { readonly kind: 'hint' }
  | { readonly kind: 'version' }
  | { readonly kind: 'manifest'; readonly modules: readonly string[] }
  /** `moving`: calls are to go on in other processes, so tools that cannot are listed. `types`: TypeScript checks them, too. */
  | {
      readonly kind: 'check';
      readonly modules: readonly string[];
      readonly moving: boolean;
      readonly types: boolean;
    }
  | { readonly kind: 'dev'; readonly modules: readonly string[]; readonly serve: HttpOptions }
  | { readonly kind: 'serve'; readonly modules: readonly string[]; readonly serve: ServeOptions }
  | { readonly kind: 'doctor'; readonly serve: ServeOptions }
  | { readonly kind: 'doctor-server'; readonly server: DoctorServer }
  | { readonly kind: 'pack'; readonly modules: readonly string[]; readonly pack: PackOptions }
  | { readonly kind: 'new'; readonly tool: NewOptions }
  | { readonly kind: 'setup'; readonly setup: SetupOptions };

/** The server that `parley doctor` examines: a command with its arguments, or an address. */
export interface DoctorServer {
  readonly target: string;
  readonly args: readonly string[];
}

/** What `parley pack` writes. */
export interface PackOptions {
  /** A program, a bundle for clients, or the folder of an Agent Plugin. */
  readonly form: 'program' | 'mcpb' | 'plugin';
  readonly out: string | undefined;
  /** What is there may be written over. */
  readonly force: boolean;
  readonly name: string | undefined;
  readonly packVersion: string;
  readonly author: string | undefined;
  readonly description: string | undefined;
}

/** What `parley new` makes. */
export interface NewOptions {
  readonly name: string;
  readonly template: Template;
  readonly folder: string;
}

/** What `parley setup` does with the entry of an agent's configuration. */
export interface SetupOptions {
  readonly agent: AgentSetup;
  /** The server's name there. */
  readonly name: string;
  /** What it serves; nothing for the tools that come with Parley. */
  readonly modules: readonly string[];
  readonly mode: 'write' | 'print' | 'remove';
}

/** Where calls are between two requests of their client. */
export type StateOption =
  | { readonly kind: 'memory' }
  /** In the client's hands, sealed with the keys of a file. */
  | { readonly kind: 'carried'; readonly keyFile: string }
  /** In a folder; without a file of keys, with a key in that folder. */
  | { readonly kind: 'folder'; readonly folder: string; readonly keyFile: string | undefined }
  /** In PostgreSQL, sealed with keys that all servers have. */
  | { readonly kind: 'postgres'; readonly url: string; readonly keyFile: string };

/** A model of the server's own: an OpenAI-compatible address, which of its models, and what a principal may spend in an hour. */
export interface ModelCommand {
  readonly url: string;
  readonly name: string;
  readonly calls: number | undefined;
  readonly tokens: number | undefined;
}

/** How lists are served. */
export type ListFlags = Pick<McpServerOptions, 'pageSize' | 'listChanged'> & {
  /** Catalogues with more tools are shown as a few tools that search them. */
  readonly searchAbove?: number;
};

/** How `parley serve --http` and `parley dev` serve. */
export type HttpOptions = Extract<ServeOptions, { transport: 'http' }>;

/** How `parley serve` serves. */
export type ServeOptions =
  | {
      readonly transport: 'stdio';
      readonly isolation: Isolation;
      /** Where its questions are listed to the person of this machine: a folder, or `none`. */
      readonly inbox?: string;
      readonly state: StateOption;
      readonly model?: ModelCommand;
      /** A file of servers whose tools, prompts and resources are served, too. */
      readonly servers?: string;
      /** A file of rules for calls of their tools, and of code. */
      readonly policy?: string;
      readonly limits?: ServeLimits;
      /** The tools are called by code. */
      readonly code?: true;
      readonly lists?: ListFlags;
      /** How long a host has to show a page of a call, milliseconds. */
      readonly pageWait?: number;
    }
  | {
      readonly transport: 'http';
      readonly isolation: Isolation;
      readonly state: StateOption;
      readonly model?: ModelCommand;
      readonly host: string;
      readonly port: number;
      /** A file that holds the token, or gets a new one; a new one each time by default, and none beside `oauth`. */
      readonly token: { readonly file: string } | 'new' | 'none';
      /** The authorization server whose tokens are let in. */
      readonly oauth?: OAuthOptions;
      readonly json: boolean;
      /** Names in `Host` beside loopback ones and `host`, without port. */
      readonly allowHosts: readonly string[];
      /** Origins that may call, beside loopback ones. */
      readonly allowOrigins: readonly string[];
      /** Longest request body, bytes. */
      readonly maxBody: number | undefined;
      /** A file of servers that each principal has for itself, but for those that are `shared`. */
      readonly servers?: string;
      /** How long what runs may take to come to its next question after SIGTERM, milliseconds. */
      readonly drain: number;
      /** A file of rules for calls of other servers' tools, and of code. */
      readonly policy?: string;
      readonly limits?: ServeLimits;
      /** The tools are called by code. */
      readonly code?: true;
      readonly lists?: ListFlags;
      /** How long a host has to show a page of a call, milliseconds. */
      readonly pageWait?: number;
    };

/** A body is one piece of memory, and more than this no tool takes. */
const MAX_BODY = 256 * 1024 ** 2;

/** How long what runs has by default when its server is stopped, milliseconds: half of what Docker gives it before it kills. */
const DRAIN = 5_000;

/** Whether only this machine reaches what listens on a host. */
export function isLocal(host: string): boolean {
  return isLoopback(host.includes(':') ? `[${host}]` : host);
}

/** Reads a command line. @throws `UsageError` */
export function parseCommand(argv: readonly string[], environment?: NodeJS.ProcessEnv): Command {
  const { values, positionals } = readOptions(argv, environment);
  const [kind, ...modules] = positionals;
  if (values.help) return { kind: 'help', ...(kind !== undefined && isKind(kind) ? { of: kind } : {}) };
  if (values.version) return { kind: 'version' };
  if (kind === undefined) return { kind: 'hint' };
  if (!isKind(kind)) {
    const near = nearest(kind, KINDS);
    throw new UsageError(
      near
        ? `there is no command '${kind}': did you mean ${near}?`
        : `there is no command '${kind}'; there are ${KINDS.slice(0, -1).join(', ')} and ${KINDS.at(-1)}`,
    );
  }
  if (kind === 'new') return { kind, tool: newOptions(modules, values.template) };
  if (kind === 'setup') return { kind, setup: setupOptions(modules, values) };
  if (values.print || values.remove) throw new UsageError('--print and --remove need parley-mcp setup');
  if (kind === 'doctor' && values.server !== undefined) {
    return { kind: 'doctor-server', server: doctorServer(values.server, modules) };
  }
  if (values.server !== undefined) throw new UsageError('--server needs parley-mcp doctor');
  if (kind === 'doctor') {
    if (modules.length > 0) throw new UsageError('parley-mcp doctor takes no MODULE: it has its own tool');
    return { kind, serve: serveOptions(values) };
  }
  if (modules.length === 0 && (kind !== 'serve' || values.servers === undefined)) {
    throw new UsageError(`parley ${kind} needs at least one MODULE`);
  }
  if (kind === 'pack') return { kind, modules, pack: packOptions(values) };
  if (kind === 'check') return { kind, modules, moving: values.state !== 'memory', types: values.types };
  if (kind === 'dev') return { kind, modules, serve: devOptions(values) };
  if (kind === 'manifest') return { kind, modules };
  return { kind, modules, serve: serveOptions(values) };
}

function doctorServer(target: string, args: readonly string[]): DoctorServer {
  if (target.trim() === '') throw new UsageError('--server is a command or an http address');
  if (args.length > 0 && URL.canParse(target) && /^https?:/i.test(target)) {
    throw new UsageError(`a server at an address takes no arguments, such as '${args[0]}'`);
  }
  return { target, args };
}

const KINDS = ['serve', 'dev', 'new', 'pack', 'setup', 'doctor', 'check', 'manifest'] as const;

function isKind(kind: string): kind is (typeof KINDS)[number] {
  return (KINDS as readonly string[]).includes(kind);
}

function newOptions([name, folder = '.', ...more]: readonly string[], template: string): NewOptions {
  if (name === undefined) throw new UsageError('parley-mcp new needs the NAME of the tool');
  if (more.length > 0)
    throw new UsageError(`parley-mcp new takes a NAME and a FOLDER, not '${more[0]}' as well`);
  if (!isName(name)) {
    throw new UsageError(
      `'${name}' is not a valid tool name: use 1 to 64 letters (a-z, A-Z), digits, _ and -`,
    );
  }
  const found = TEMPLATES.find((one) => one === template);
  if (!found) throw new UsageError(`--template is one of ${TEMPLATES.join(', ')}, not '${template}'`);
  return { name, template: found, folder };
}

function setupOptions([id, ...modules]: readonly string[], values: Values): SetupOptions {
  const agent = agentSetups.find((one) => one.id === id);
  if (!agent) {
    const ids = agentSetups.map((one) => one.id).join(', ');
    throw new UsageError(`parley-mcp setup needs an AGENT: ${ids}${id === undefined ? '' : `; not '${id}'`}`);
  }
  const { name = 'parley', print, remove } = values;
  if (!/^[a-z][\w-]{0,63}$/i.test(name))
    throw new UsageError(
      `--name begins with a letter and has letters, digits, '_' and '-', at most 64 in all; not '${name}'`,
    );
  if (print && remove) throw new UsageError('--print and --remove cannot be used together');
  return { agent, name, modules, mode: print ? 'print' : remove ? 'remove' : 'write' };
}

function packOptions(values: Values): PackOptions {
  const { name, author, description, out, force } = values;
  if (values.mcpb && author === undefined) {
    throw new UsageError('a bundle names its author: --mcpb needs --author NAME');
  }
  if (values.mcpb && values.plugin) throw new UsageError('--mcpb and --plugin cannot be used together');
  // The name of a plugin is that of its skill, too.
  if (values.plugin && name !== undefined && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UsageError(`the --name of a plugin is made of a-z, 0-9 and single '-', not '${name}'`);
  if (name !== undefined && !/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) {
    throw new UsageError(`--name is made of a-z, 0-9, '.', '_' and '-', at most 64 of them, not '${name}'`);
  }
  const packVersion = values['pack-version'];
  if (!/^\d+\.\d+\.\d+$/.test(packVersion)) {
    throw new UsageError(`--pack-version is a version such as 1.0.0, not '${packVersion}'`);
  }
  const form = values.mcpb ? 'mcpb' : values.plugin ? 'plugin' : 'program';
  return { form, out, force, name, packVersion, author, description };
}

function serveOptions(values: Values): ServeOptions {
  if (values.stdio && values.http) throw new UsageError('--stdio and --http cannot be used together');
  const format = values['log-format'];
  if (format !== 'text' && format !== 'json') {
    throw new UsageError(`--log-format is text or json, not '${format}'`);
  }
  const state = stateOf(values);
  const isolation = isolationOf(values);
  const { servers, policy } = values;
  const oauth = oauthOf(values);
  if (oauth && !values.http) throw new UsageError('--oauth-issuer needs --http');
  const model = modelOf(values);
  const code = values.code || undefined;
  const pageWait = pageWaitOf(values['page-wait']);
  if (policy !== undefined && servers === undefined && !code) {
    throw new UsageError('--policy FILE needs --servers FILE or --code: it has no effect on other calls');
  }
  const limits = limitsOf(values.limit, state.kind === 'folder' || state.kind === 'postgres');
  const more = defined({ servers, policy, limits, model, code, pageWait, lists: listsOf(values) });
  if (!values.http)
    return { transport: 'stdio', isolation, state, ...more, ...defined({ inbox: values.inbox }) };
  if (servers !== undefined && values['no-token']) {
    throw new UsageError(
      '--servers and --no-token cannot be used together: without a token, callers cannot be told apart',
    );
  }
  return { ...httpOptions(values, isolation, state), ...more, ...defined({ oauth }) };
}

/** For this machine alone, and in this thread, where its code can be loaded again. */
function devOptions(values: Values): HttpOptions {
  const { state, code, host } = values;
  if (code || state !== 'memory' || !isLocal(host))
    throw new UsageError(
      'parley-mcp dev serves this machine, in memory: leave --code, --state and --host out',
    );
  return httpOptions({ ...values, http: true, 'no-token': true }, 'host', { kind: 'memory' });
}

function httpOptions(values: Values, isolation: Isolation, state: StateOption): HttpOptions {
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new UsageError(`--port is a number from 0 to 65535, not '${values.port}'`);
  }
  const file = values['token-file'];
  if (values['no-token'] && file !== undefined) {
    throw new UsageError('--token-file and --no-token cannot be used together');
  }
  if (values['no-token'] && !isLocal(values.host)) {
    throw new UsageError('--no-token is for loopback addresses only: others could run your tools');
  }
  return {
    transport: 'http',
    isolation,
    state,
    host: values.host,
    port,
    token:
      file !== undefined
        ? { file }
        : values['no-token'] || values['oauth-issuer'] !== undefined
          ? 'none'
          : 'new',
    json: values.json,
    allowHosts: values['allow-host'].map(hostName),
    allowOrigins: values['allow-origin'].map(origin),
    drain: drainOf(values.drain, state),
    maxBody: values['max-body'] === undefined ? undefined : bytes(values['max-body']),
  };
}

/** Where others can go on with its calls, a server leaves in good order unless it is told otherwise. */
function drainOf(given: string | undefined, { kind }: StateOption): number {
  if (given === undefined) return kind === 'folder' || kind === 'postgres' ? DRAIN : 0;
  if (/^\d{1,4}$/.test(given)) return Number(given) * 1000;
  throw new UsageError(`--drain is a number of seconds, 0 to 9999, not '${given}'`);
}

function pageWaitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,3}$/.test(given)) return Number(given) * 1000;
  throw new UsageError(`--page-wait is a number of seconds, 0 to 999, not '${given}'`);
}

function listsOf(values: Values): ListFlags | undefined {
  const changed = values['list-changed'];
  const lists = defined({
    pageSize: wholeOf('page-size', values['page-size'], 1),
    listChanged: changed === 'off' ? (false as const) : wholeOf('list-changed', changed, 0, " or 'off'"),
    searchAbove: wholeOf('search-above', values['search-above'], 0),
  });
  return Object.keys(lists).length > 0 ? lists : undefined;
}

function wholeOf(name: string, given: string | undefined, least: number, or = ''): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) >= least) return Number(given);
  throw new UsageError(`--${name} is a whole number from ${least} to 99999${or}, not '${given}'`);
}

function modelOf(values: Values): ModelCommand | undefined {
  const { model: url, 'model-name': name, 'model-calls': calls, 'model-tokens': tokens } = values;
  if (url === undefined) {
    if ((name ?? calls ?? tokens) === undefined) return undefined;
    throw new UsageError('--model-name, --model-calls and --model-tokens need --model URL');
  }
  if (name === undefined) throw new UsageError('--model URL needs --model-name NAME');
  if (values['no-token']) {
    throw new UsageError(
      '--model and --no-token cannot be used together: every user of this machine could spend your tokens',
    );
  }
  return { url, name, calls: countOf('calls', calls), tokens: countOf('tokens', tokens) };
}

function countOf(what: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,11}$/.test(given)) return Number(given);
  throw new UsageError(`--model-${what} is a whole number from 1 on, not '${given}'`);
}

function stateOf({ state, 'state-key-file': keyFile }: Values): StateOption {
  if (state === 'memory') {
    if (keyFile === undefined) return { kind: 'memory' };
    throw new UsageError('--state-key-file needs --state carried, --state FOLDER or --state postgres://…');
  }
  const isPostgres = /^postgres(ql)?:/i.test(state);
  if (state !== 'carried' && !isPostgres) return { kind: 'folder', folder: state, keyFile };
  if (keyFile === undefined) {
    throw new UsageError(
      `--state ${isPostgres ? 'postgres://…' : state} needs --state-key-file FILE: all servers that share calls use the same keys`,
    );
  }
  if (!isPostgres) return { kind: 'carried', keyFile };
  // The address is not repeated: it may hold a password.
  if (!URL.canParse(state))
    throw new UsageError('--state is an address such as postgres://user@host:5432/database');
  return { kind: 'postgres', url: state, keyFile };
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

function isolationOf({ isolation, http }: Values): Isolation {
  const value = isolation ?? (http ? 'worker' : 'host');
  if (value === 'host' || value === 'worker') return value;
  throw new UsageError(`--isolation is worker or host, not '${value}'`);
}
