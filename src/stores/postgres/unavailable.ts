import { isParleyError } from '../../core/errors/errors.ts';
import { StoreUnavailableError } from '../../core/errors/store-errors.ts';

const AWAY = 'it cannot be reached. Saved calls are not lost; each request tries again.';
const STOPPING = 'it is being stopped or started. Each request tries again.';
const SLOW = 'it takes too long to answer. See what keeps it busy; each request tries again.';
const LOGIN =
  'it refused this user. Check the user name and password (PARLEY_STATE_PASSWORD for parley-mcp serve, PGPASSWORD, or a file by PGPASSFILE).';
const CONNECTIONS = 'it has no connection left. Raise its max_connections, or let fewer servers use it.';

const SAYS: Readonly<Record<string, string>> = {
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOENT: AWAY,
  ENOTFOUND: 'the host was not found.',
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
  ERR_MODULE_NOT_FOUND: 'the package pg is not installed beside parley-mcp. Run: npm install pg',
  '25006': 'it is read-only, like a standby. Use the address of a writable server.',
  '28000': LOGIN,
  '28P01': LOGIN,
  '3D000': 'the database does not exist. Create it, or choose another.',
  '42501':
    'this user has no permission for that. Allow it to create a schema, or grant it access to the existing one.',
  '53100': 'its disk is full. Free some space; saved calls are not lost.',
  '53300': CONNECTIONS,
  '53400': CONNECTIONS,
  '55P03': SLOW,
  '57014': SLOW,
  '57P01': STOPPING,
  '57P02': STOPPING,
  '57P03': STOPPING,
};

/** Errors of the driver that have words alone. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Connection terminated|^Client has encountered a connection error|not queryable/, AWAY],
  [/timeout/i, SLOW],
  [/password must be a string|no password supplied/i, LOGIN],
];

/** What a person reads of an error of the driver or the database; errors of Parley and of who called are what they are. */
export function unavailable(where: string, error: unknown): unknown {
  if (isParleyError(error) || error instanceof RangeError || !(error instanceof Error)) return error;
  return new StoreUnavailableError({ where, problem: wordsFor(error), cause: error });
}

/** Whether the connection was lost, so that nobody knows what came of what was asked for. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined) return /^(08|57P0[123]|ECONNRESET$|EPIPE$)/.test(code);
  return WORDS[0]?.[0].test(error.message) ?? false;
}

function wordsFor(error: Error): string {
  // A host of several addresses fails with the errors of all of them.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const said = SAYS[codeOf(first) ?? ''] ?? WORDS.find(([words]) => words.test(first.message))?.[1];
  return said ?? `${first.message}.`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
