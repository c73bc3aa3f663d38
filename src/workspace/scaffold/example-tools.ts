import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { type Operation, until } from 'effection';
import { type NewTool, ToolFileExistsError } from './new-tool.ts';
import { writeNew, writeParleyFolder } from './parley-folder.ts';
import { kindOf, makePlainFolder } from './plain-paths.ts';

/** The example tools that ship with Parley, by name: below its own folder the tools that each is among, its file or folder, and the file to read first. */
export const EXAMPLES = {
  release: pack('release'),
  migrate: pack('migrate'),
  upgrade_dependencies: pack('upgrade'),
  find_flaky_tests: pack('flaky'),
  triage: pack('triage'),
  word_count: small('word-count.ts'),
  slow_count: small('slow-count.ts'),
  field_kinds: small('field-kinds.ts'),
};

function pack(name: string) {
  return { among: `examples/packs/${name}/.parley/tools`, at: name, first: `${name}/tool.ts` };
}

function small(file: string) {
  return { among: 'examples/workspace/.parley/tools', at: file, first: file };
}

/** The name of an example tool. */
export type ExampleName = keyof typeof EXAMPLES;

/**
 * Copies an example tool from Parley's folder into `<folder>/.parley/tools`. Never overwrites.
 *
 * @throws {@link ToolFileExistsError} before anything is written; `LinkedPathError` where a link would lead elsewhere.
 */
export function* addExample(parley: string, folder: string, name: ExampleName): Operation<NewTool> {
  const { among, at, first } = EXAMPLES[name];
  const from = join(parley, among);
  const tools = join(folder, '.parley', 'tools');
  // The tool last: it is loaded as soon as it is there, and what it imports has to be there by then.
  const paths = (yield* filesOf(from, at)).filter((path) => path !== first).concat(first);
  for (const path of paths) {
    const target = join(tools, path);
    if ((yield* kindOf(target)) !== 'nothing') throw new ToolFileExistsError(target);
  }
  yield* writeParleyFolder(join(folder, '.parley'));
  for (const path of paths) {
    const target = join(tools, path);
    yield* makePlainFolder(folder, dirname(target));
    const text = yield* until(readFile(join(from, path), 'utf8'));
    if (!(yield* writeNew(target, text))) throw new ToolFileExistsError(target);
  }
  const written = paths.map((path) => join(tools, path));
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
