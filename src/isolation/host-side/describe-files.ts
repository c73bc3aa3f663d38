import { type Operation, type Result, withResolvers } from 'effection';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { Unended } from '../../core/plugin/unended.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Handlers } from '../wire/contract.ts';
import type { LoadParams, RealmMethods } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { ToolData } from '../wire/tool-data.ts';
import { Connection } from './connection.ts';
import type { RealmMaker } from './tool-home.ts';

/** What a file holds, or why that cannot be said. */
export type DescribedFile =
  | {
      readonly kind: 'tools';
      readonly tools: readonly ToolData[];
      readonly others: boolean;
      readonly unended: Readonly<Record<string, Unended>>;
    }
  | { readonly kind: 'threw'; readonly error: unknown };

/** What files hold. */
export interface Described {
  readonly files: ReadonlyMap<string, DescribedFile>;
  /** The realm that has loaded the only file, and nothing else: its tools may run there. */
  readonly realm?: Connection;
}

/** A realm that a file was described in waits so long for a call, in milliseconds. */
const WAITS = 60_000;

/**
 * Loads files in a realm, and says what tools they hold. A realm that has loaded more than one file ends with that, for their
 * tools must not share it. A file that ends the realm, or never ends loading, costs that realm only: the files after it are
 * loaded in a new one. What threw behind others may have found what they had left broken: it is loaded once more without them.
 */
export function* describeFiles(maker: RealmMaker, load: LoadParams): Operation<Described> {
  const files = new Map<string, DescribedFile>();
  const threw: string[] = [];
  const realm = yield* describeAll(maker, load, files, { keep: load.entries.length === 1, threw });
  if (threw.length === 0) return { files, ...defined({ realm }) };
  const again = new Map<string, DescribedFile>();
  // One of them may have broken it: those that came after it come before it now.
  const entries = load.entries.filter(({ file }) => threw.includes(file)).toReversed();
  yield* describeAll(maker, { ...load, entries }, again, { keep: false, threw: [] });
  for (const [file, what] of again) if (what.kind === 'tools') files.set(file, what);
  return { files };
}

/** What is wanted beside what files hold. */
interface Wanted {
  /** The realm, where there is only one file. */
  readonly keep: boolean;
  /** Gets the files that threw in a realm that had loaded others; not those that ended it, or took its time. */
  readonly threw: string[];
}

/** Loads files in as many realms as they end. */
function* describeAll(
  maker: RealmMaker,
  load: LoadParams,
  files: Map<string, DescribedFile>,
  { keep, threw }: Wanted,
): Operation<Connection | undefined> {
  let realm: Connection | undefined;
  for (;;) {
    const entries = load.entries.filter(({ file }) => !files.has(file));
    if (entries.length === 0) return realm;
    const came = yield* describeSome(maker, { ...load, entries }, files, keep);
    if (came instanceof Connection) realm = came;
    else if (came) files.set(came.file, { kind: 'threw', error: came.error });
    for (const { file } of entries.slice(1)) {
      const what = files.get(file);
      if (what?.kind === 'threw' && !(what.error instanceof ToolFileError)) threw.push(file);
    }
  }
}

/** What a file did that no realm survives. */
class ToolFileError extends Error {
  override readonly name = 'ToolFileError';

  constructor(how: string, cause: unknown) {
    super(how, { cause });
  }
}

interface Culprit {
  readonly file: string;
  readonly error: unknown;
}

/** Describes files until one of them ends the realm. With `keep`, gives the realm if it has come through. */
function* describeSome(
  { launch, limits, diagnose }: RealmMaker,
  load: LoadParams,
  described: Map<string, DescribedFile>,
  keep: boolean,
): Operation<Connection | Culprit | undefined> {
  const link = launch('tool definitions');
  const over = withResolvers<Culprit | undefined>('tool definitions');
  const [first] = load.entries;
  let at = first?.file ?? load.folder;
  let kept = false;
  const failed = (how: string, cause?: unknown) =>
    over.resolve({ file: at, error: new ToolFileError(how, cause) });
  const stuck = () =>
    failed(`it has not paused for ${limits.loading / 1000} s: look for an endless loop outside its tools`);
  /** Ticks until it is stuck. Counted as by its watch: this end may have been held up itself, and has not heard yet what came meanwhile. */
  let left = 0;
  const allow = (milliseconds: number) => {
    left = Math.ceil(milliseconds / limits.interval);
  };
  // Until the first file is about to be run, nothing but the start of a worker takes time.
  allow(limits.silence() + limits.loading);
  const timer = setInterval(() => {
    if (left-- === 0) stuck();
  }, limits.interval);
  const handlers: Handlers<SessionMethods, RealmMethods> = {
    loading({ file }) {
      allow(limits.loading);
      at = file;
    },
    loaded: ({ file, ...holds }) => void described.set(file, { kind: 'tools', ...holds }),
    threw: ({ file, error }) => void described.set(file, { kind: 'threw', error: errorFromData(error) }),
  };
  const idle = Math.min(limits.idle, WAITS);
  const realm = new Connection(link, { ...limits, idle }, (message, cause) => {
    if (kept) diagnose(message, cause);
    else failed(`what it exports cannot be read: ${toError(cause).message}`);
  });
  void link.ended.then((end) => {
    if (end.kind === 'exited') failed(`it called process.exit(${end.code})`);
    else if (end.kind === 'threw') failed(`it ended its worker: ${toError(end.error).message}`, end.error);
    else if (end.kind === 'lost') failed(end.reason);
    else failed('its worker was ended');
  });
  const loaded = (outcome: Result<void>) => {
    // What ended the realm is said by its end.
    if (outcome.ok) over.resolve(undefined);
    else if (!realm.closed) over.resolve({ file: at, error: outcome.error });
  };
  try {
    realm.peer.request('load', load, loaded, { handlers });
    const culprit = yield* over.operation;
    kept = keep && !culprit && described.get(at)?.kind === 'tools';
    return kept ? realm : culprit;
  } finally {
    clearInterval(timer);
    if (kept) realm.work()();
    else void link.terminate();
  }
}
