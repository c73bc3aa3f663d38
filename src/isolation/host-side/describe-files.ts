import { type Operation, type Result, withResolvers } from 'effection';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { Handlers } from '../wire/contract.ts';
import { type LoadOrder, type RealmMethods, realmMethods } from '../wire/realm-methods.ts';
import { createRpc } from '../wire/rpc.ts';
import { type SessionMethods, sessionMethods } from '../wire/session-methods.ts';
import type { ToolData } from '../wire/tool-data.ts';
import type { RealmMaker } from './tool-home.ts';

/** What a file holds, or why that cannot be said. */
export type DescribedFile =
  | { readonly kind: 'tools'; readonly tools: readonly ToolData[]; readonly others: boolean }
  | { readonly kind: 'threw'; readonly error: unknown };

/**
 * Loads files in a realm that ends with it, and says what tools they hold. A file that ends the realm, or never ends
 * loading, costs that realm only: the files after it are loaded in a new one.
 */
export function* describeFiles(
  maker: RealmMaker,
  load: LoadOrder,
): Operation<ReadonlyMap<string, DescribedFile>> {
  const described = new Map<string, DescribedFile>();
  for (;;) {
    const entries = load.entries.filter(({ file }) => !described.has(file));
    if (entries.length === 0) return described;
    const culprit = yield* describeSome(maker, { ...load, entries }, described);
    if (culprit) described.set(culprit.file, { kind: 'threw', error: culprit.error });
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

/** Describes files until one of them ends the realm. */
function* describeSome(
  { launch, limits }: RealmMaker,
  load: LoadOrder,
  described: Map<string, DescribedFile>,
): Operation<Culprit | undefined> {
  const link = launch('tool definitions');
  const over = withResolvers<Culprit | undefined>('tool definitions');
  const [first] = load.entries;
  let at = first?.file ?? load.folder;
  const failed = (how: string, cause?: unknown) =>
    over.resolve({ file: at, error: new ToolFileError(how, cause) });
  const stuck = () =>
    failed(`it has not paused for ${limits.loading / 1000} s: look for an endless loop outside its tools`);
  // Until the first file is about to be run, nothing but the start of a worker takes time.
  let timer = setTimeout(stuck, limits.silence + limits.loading);
  const handlers: Handlers<SessionMethods, RealmMethods> = {
    loading({ file }) {
      clearTimeout(timer);
      timer = setTimeout(stuck, limits.loading);
      at = file;
    },
    loaded: ({ file, ...holds }) => void described.set(file, { kind: 'tools', ...holds }),
    threw: ({ file, error }) => void described.set(file, { kind: 'threw', error: errorFromData(error) }),
  };
  const rpc = createRpc({
    mine: sessionMethods,
    theirs: realmMethods,
    numbers: 'odd',
    handlers: {},
    send: (text) => link.send(text),
    fault: () => {},
  });
  link.listen((text) => {
    try {
      rpc.hear(text);
    } catch (error) {
      failed(`what it exports cannot be read: ${toError(error).message}`);
    }
  });
  void link.ended.then((end) => {
    if (end.kind === 'exited') failed(`it called process.exit(${end.code})`);
    else if (end.kind === 'threw') failed(`it ended its worker: ${toError(end.error).message}`, end.error);
    else if (end.kind === 'lost') failed(end.reason);
    else failed('its worker was ended');
  });
  const loaded = (outcome: Result<void>) =>
    over.resolve(outcome.ok ? undefined : { file: at, error: outcome.error });
  try {
    rpc.peer.request('load', load, loaded, { handlers });
    return yield* over.operation;
  } finally {
    clearTimeout(timer);
    void link.terminate();
  }
}
