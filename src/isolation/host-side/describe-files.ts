import { type Operation, withResolvers } from 'effection';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { decode, encode } from '../wire/codec.ts';
import type { OrderOf } from '../wire/orders.ts';
import { report } from '../wire/reports.ts';
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
  load: OrderOf<'load'>,
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
  load: OrderOf<'load'>,
  described: Map<string, DescribedFile>,
): Operation<Culprit | undefined> {
  const link = launch('tool definitions');
  const over = withResolvers<Culprit | undefined>('tool definitions');
  const [first] = load.entries;
  let file = first?.file ?? load.folder;
  const failed = (how: string, cause?: unknown) =>
    over.resolve({ file, error: new ToolFileError(how, cause) });
  const stuck = () =>
    failed(`it has not paused for ${limits.loading / 1000} s: look for an endless loop outside its tools`);
  // Until the first file is about to be run, nothing but the start of a worker takes time.
  let timer = setTimeout(stuck, limits.silence + limits.loading);

  link.listen((text) => {
    const read = decode(report, text);
    if (!read.ok) return failed(`what it exports cannot be read: ${read.problem}`);
    const { message } = read;
    switch (message.type) {
      case 'loading':
        clearTimeout(timer);
        timer = setTimeout(stuck, limits.loading);
        file = message.file;
        return;
      case 'loaded':
        described.set(message.file, { kind: 'tools', tools: message.tools, others: message.others });
        return;
      case 'threw':
        described.set(message.file, { kind: 'threw', error: errorFromData(message.error) });
        return;
      case 'ready':
        return over.resolve(undefined);
      case 'diagnostic':
        if (message.error) over.resolve({ file, error: errorFromData(message.error) });
    }
  });
  void link.ended.then((end) => {
    if (end.kind === 'exited') failed(`it called process.exit(${end.code})`);
    else if (end.kind === 'threw') failed(`it ended its worker: ${toError(end.error).message}`, end.error);
    else if (end.kind === 'lost') failed(end.reason);
    else failed('its worker was ended');
  });
  try {
    link.send(encode(load));
    return yield* over.operation;
  } finally {
    clearTimeout(timer);
    void link.terminate();
  }
}
