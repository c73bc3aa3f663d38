import { type Operation, withResolvers } from 'effection';
import { errorFromData } from '../../core/error-data.ts';
import { toError } from '../../core/errors.ts';
import { ToolCrashedError, ToolStuckError } from '../../core/isolation-errors.ts';
import { decode, encode } from '../codec.ts';
import type { OrderOf } from '../orders.ts';
import { report } from '../reports.ts';
import type { ToolData } from '../tool-data.ts';
import type { RealmMaker } from './tool-home.ts';

/** What a file holds, or why that cannot be said. */
export type DescribedFile =
  | { readonly kind: 'tools'; readonly tools: readonly ToolData[] }
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
  const tool = () => ({ toolName: 'a tool file', file });
  const stuck = () => over.resolve({ file, error: new ToolStuckError(tool(), limits.loading) });
  // Until the first file is about to be run, nothing but the start of a worker takes time.
  let timer = setTimeout(stuck, limits.silence + limits.loading);

  link.listen((text) => {
    const read = decode(report, text);
    if (!read.ok) return over.resolve({ file, error: new ToolCrashedError(tool(), read.problem) });
    const { message } = read;
    switch (message.type) {
      case 'loading':
        clearTimeout(timer);
        timer = setTimeout(stuck, limits.loading);
        file = message.file;
        return;
      case 'loaded':
        described.set(message.file, { kind: 'tools', tools: message.tools });
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
    const how =
      end.kind === 'exited'
        ? `it called process.exit(${end.code}) while it was loaded`
        : `an error that nothing caught: ${end.kind === 'threw' ? toError(end.error).message : end.kind}`;
    over.resolve({ file, error: new ToolCrashedError(tool(), how) });
  });
  try {
    link.send(encode(load));
    return yield* over.operation;
  } finally {
    clearTimeout(timer);
    void link.terminate();
  }
}
