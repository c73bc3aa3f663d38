import { defined } from '../../core/schema/defined.ts';
import type { ManagerLimits } from '../../mcp/index.ts';
import type { StoreBounds } from '../../stores/index.ts';
import { UsageError } from '../options.ts';

/** What `--limit` says: of calls, and of the store that keeps them. */
export interface ServeLimits {
  readonly manager: ManagerLimits;
  readonly store: StoreBounds;
}

type Kind = 'count' | 'bytes' | 'minutes' | 'days';

/** The names of limits, and what their numbers count. */
const LIMITS = {
  calls: 'count',
  waiting: 'count',
  memory: 'bytes',
  'share-calls': 'count',
  'share-waiting': 'count',
  'share-memory': 'bytes',
  'waiting-time': 'minutes',
  'kept-calls': 'count',
  'kept-share': 'count',
  'kept-memory': 'bytes',
  'kept-share-memory': 'bytes',
  'kept-size': 'bytes',
  'kept-time': 'days',
} as const satisfies Readonly<Record<string, Kind>>;

type Name = keyof typeof LIMITS;

const FORMS: Readonly<Record<Kind, string>> = {
  count: 'a whole number, such as 500',
  bytes: 'a number of bytes, such as 64M',
  minutes: 'a number of minutes, such as 90',
  days: 'a number of days, such as 7',
};

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/**
 * Reads what `--limit NAME=NUMBER` was given; of a name that is there twice, the last counts.
 *
 * @param kept whether calls are in a store
 * @throws `UsageError` for one that there is not, for no number, and for a limit of the store where there is none
 */
export function limitsOf(given: readonly string[], kept: boolean): ServeLimits | undefined {
  if (given.length === 0) return undefined;
  const found: Partial<Record<Name, number>> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    const name = one.slice(0, Math.max(at, 0));
    if (!isLimit(name)) {
      throw new UsageError(
        `--limit is NAME=NUMBER, with a NAME of ${Object.keys(LIMITS).join(', ')}, not '${one}'`,
      );
    }
    if (!kept && name.startsWith('kept-')) {
      throw new UsageError(`--limit ${name} needs --state FOLDER or --state postgres://…`);
    }
    found[name] = numberOf(name, one.slice(at + 1));
  }
  const share = defined({
    maxSessions: found['share-calls'],
    maxWaiting: found['share-waiting'],
    maxBytes: found['share-memory'],
  });
  return {
    manager: defined({
      maxSessions: found.calls,
      maxWaiting: found.waiting,
      maxBytes: found.memory,
      waitingTtl: found['waiting-time'],
      share: Object.keys(share).length > 0 ? share : undefined,
    }),
    store: defined({
      calls: found['kept-calls'],
      share: found['kept-share'],
      bytes: found['kept-memory'],
      shareBytes: found['kept-share-memory'],
      callBytes: found['kept-size'],
      age: found['kept-time'],
    }),
  };
}

function isLimit(name: string): name is Name {
  return Object.hasOwn(LIMITS, name);
}

function numberOf(name: Name, text: string): number {
  const kind = LIMITS[name];
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})([kmg]?)$/i.exec(text) ?? [];
  const isBytes = kind === 'bytes';
  if (digits === '' || (unit !== '' && !isBytes)) {
    throw new UsageError(`--limit ${name} is ${FORMS[kind]}, not '${text}'`);
  }
  const number = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  if (kind === 'minutes') return number * 60_000;
  return kind === 'days' ? number * 86_400_000 : number;
}
