import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Operation, until } from 'effection';
import { type NewTool, ToolFileExistsError } from './new-tool.ts';
import { writeNew, writeParleyFolder } from './parley-folder.ts';
import { kindOf, makePlainFolder } from './plain-paths.ts';

/** Where the example tools are, below the folder of Parley itself. */
export const EXAMPLES_FOLDER = 'examples/workspace/.parley/tools';

/** The example tools that ship with Parley, by name: the file or folder of each, and the file to read first. */
export const EXAMPLES = {
  word_count: { at: 'word-count.ts', first: 'word-count.ts' },
  slow_count: { at: 'slow-count.ts', first: 'slow-count.ts' },
  field_kinds: { at: 'field-kinds.ts', first: 'field-kinds.ts' },
  pick_card: { at: 'pick-card', first: 'pick-card/tool.ts' },
  tictactoe: { at: 'tictactoe', first: 'tictactoe/tool.ts' },
  book_flight: { at: 'book-flight', first: 'book-flight/tool.ts' },
} as const;

/** The name of an example tool. */
export type ExampleName = keyof typeof EXAMPLES;

/** What several examples import; one that is there already and says the same is theirs, too. */
const SHARED = 'random.ts';

/**
 * Copies an example tool from Parley's folder into `<folder>/.parley/tools`. Never overwrites.
 *
 * @throws {@link ToolFileExistsError} before anything is written; `LinkedPathError` where a link would lead elsewhere.
 */
export function* addExample(parley: string, folder: string, name: ExampleName): Operation<NewTool> {
  const { at, first } = EXAMPLES[name];
  const from = join(parley, EXAMPLES_FOLDER);
  const tools = join(folder, '.parley', 'tools');
  const texts = new Map<string, string>();
  for (const path of yield* filesOf(from, at)) texts.set(path, yield* read(join(from, path)));
  if ([...texts.values()].some((text) => text.includes(`'../${SHARED}'`))) {
    texts.set(SHARED, yield* read(join(from, SHARED)));
  }
  const kept = new Set<string>();
  for (const [path, text] of texts) {
    const target = join(tools, path);
    if ((yield* kindOf(target)) === 'nothing') continue;
    if (path !== SHARED || (yield* read(target)) !== text) throw new ToolFileExistsError(target);
    kept.add(path);
  }
  yield* writeParleyFolder(join(folder, '.parley'));
  // The tool last: it is loaded as soon as it is there, and what it imports has to be there by then.
  const last = [...texts.keys()].filter((path) => path !== first && !kept.has(path)).concat(first);
  for (const path of last) {
    const target = join(tools, path);
    yield* makePlainFolder(folder, dirname(target));
    if (!(yield* writeNew(target, texts.get(path) ?? ''))) throw new ToolFileExistsError(target);
  }
  const written = last.map((path) => join(tools, path));
  return { file: join(tools, first), written, select: { from: 0, to: 0 } };
}

function* filesOf(from: string, at: string): Operation<readonly string[]> {
  if (at.endsWith('.ts')) return [at];
  const entries = yield* until(readdir(join(from, at), { recursive: true, withFileTypes: true }));
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(from.length + 1)
        .split(sep)
        .join('/'),
    );
}

function read(path: string): Operation<string> {
  return until(readFile(path, 'utf8'));
}
