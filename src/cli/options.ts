import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../core/messages/nearest.ts';

/** A command line that cannot be understood; its message says what to type instead. */
export class UsageError extends Error {}

/** Options of `serve` that the environment may give, too: `PARLEY_STATE_KEY_FILE` for `--state-key-file`. */
const FROM_ENVIRONMENT = [
  'host',
  'port',
  'token-file',
  'allow-host',
  'allow-origin',
  'max-body',
  'drain',
  'page-wait',
  'page-size',
  'list-changed',
  'search-above',
  'policy',
  'limit',
  'log-format',
  'isolation',
  'state',
  'state-key-file',
  'inbox',
  'oauth-issuer',
  'oauth-resource',
  'oauth-scope',
  'oauth-tool-scope',
  'oauth-token-type',
];

/** Those of them that may be given several times. */
const LISTS: readonly string[] = ['allow-host', 'allow-origin', 'limit', 'oauth-scope', 'oauth-tool-scope'];

/** What the environment says, as flags; lists are divided by commas. Flags on the command line come after, and count. */
function flagsIn(environment: NodeJS.ProcessEnv): readonly string[] {
  return FROM_ENVIRONMENT.flatMap((name) => {
    const value = environment[`PARLEY_${name.replaceAll('-', '_').toUpperCase()}`];
    if (value === undefined || value === '') return [];
    const values = LISTS.includes(name) ? value.split(',') : [value];
    return values.map((one) => `--${name}=${one.trim()}`);
  });
}

/** Options that only a server on HTTP has. Those of `oauth` say so themselves. */
const FOR_HTTP: readonly string[] = [
  'host',
  'port',
  'token-file',
  'no-token',
  'json',
  'allow-host',
  'allow-origin',
  'max-body',
  'drain',
];

/** The options of a command line. @throws `UsageError` for those that there are not, and that mean nothing without `--http` */
export function readOptions(argv: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const given = argv.includes('serve') ? flagsIn(environment) : [];
  const { values, positionals, tokens } = parsed([...given, ...argv]);
  refuseEmpty(values, positionals);
  // What stands in the environment may be meant for other servers.
  refuseIdle(
    { values, positionals },
    tokens.filter(({ index }) => index >= given.length),
  );
  return { values, positionals };
}

type Parsed = ReturnType<typeof parsed>;

/** A variable of a shell that is not set makes an empty option: taken for a value, an empty `--host` would be all addresses there are. */
function refuseEmpty(values: Parsed['values'], positionals: readonly string[]): void {
  for (const [name, value] of Object.entries(values)) {
    if ([value].flat().includes(''))
      throw new UsageError(`--${name} is empty: give it a value, or leave it out`);
  }
  if (positionals.includes('')) throw new UsageError('an argument is empty: leave it out');
}

function refuseIdle(
  { values, positionals }: Pick<Parsed, 'values' | 'positionals'>,
  written: Parsed['tokens'],
): void {
  const idle = written.find((token) => token.kind === 'option' && FOR_HTTP.includes(token.name));
  if (idle?.kind === 'option' && !values.http && /^(serve|doctor)$/.test(positionals[0] ?? '')) {
    throw new UsageError(`--${idle.name} needs --http: without it, clients start the server and use stdio`);
  }
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  stdio: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  code: { type: 'boolean', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '0' },
  isolation: { type: 'string' },
  server: { type: 'string' },
  servers: { type: 'string' },
  policy: { type: 'string' },
  limit: { type: 'string', multiple: true, default: [] },
  'token-file': { type: 'string' },
  'no-token': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'allow-host': { type: 'string', multiple: true, default: [] },
  'allow-origin': { type: 'string', multiple: true, default: [] },
  'oauth-issuer': { type: 'string' },
  'oauth-resource': { type: 'string' },
  'oauth-scope': { type: 'string', multiple: true, default: [] },
  'oauth-tool-scope': { type: 'string', multiple: true, default: [] },
  'oauth-token-type': { type: 'string' },
  'max-body': { type: 'string' },
  drain: { type: 'string' },
  'page-wait': { type: 'string' },
  'page-size': { type: 'string' },
  'list-changed': { type: 'string' },
  'search-above': { type: 'string' },
  'log-format': { type: 'string', default: 'text' },
  template: { type: 'string', default: 'question' },
  out: { type: 'string' },
  force: { type: 'boolean', default: false },
  types: { type: 'boolean', default: false },
  name: { type: 'string' },
  'pack-version': { type: 'string', default: '1.0.0' },
  print: { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  mcpb: { type: 'boolean', default: false },
  plugin: { type: 'boolean', default: false },
  author: { type: 'string' },
  description: { type: 'string' },
  state: { type: 'string', default: 'memory' },
  'state-key-file': { type: 'string' },
  inbox: { type: 'string' },
  model: { type: 'string' },
  'model-name': { type: 'string' },
  'model-calls': { type: 'string' },
  'model-tokens': { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      strict: true,
      tokens: true,
      options: OPTIONS,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message, { cause: error });
    const near = nearest(unknown.replace(/^-+/, ''), Object.keys(OPTIONS));
    throw new UsageError(`there is no option '${unknown}'${near ? `: did you mean --${near}?` : ''}`, {
      cause: error,
    });
  }
}

/** What each option was given. */
export type Values = ReturnType<typeof readOptions>['values'];
