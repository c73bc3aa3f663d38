import { dirname, join } from 'node:path';
import type { Operation } from 'effection';
import { writeNew, writeParleyFolder } from './parley-folder.ts';
import { kindOf, makePlainFolder } from './plain-paths.ts';
import { type Template, templateFiles } from './tool-template.ts';
import { namesOf } from './variable-name.ts';

/** A tool that was made from a template. */
export interface NewTool {
  /** The file to open; absolute. */
  readonly file: string;
  /** All that was written; absolute. */
  readonly written: readonly string[];
  /** The text in it that its author will change first: the description, as offsets. */
  readonly select: { readonly from: number; readonly to: number };
}

/** A file of the new tool is there already. Nothing was written. */
export class ToolFileExistsError extends Error {
  override readonly name = 'ToolFileExistsError';
  readonly file: string;

  constructor(file: string) {
    super(`${file} exists already. Choose another name.`);
    this.file = file;
  }
}

/**
 * Writes a new tool with its test below `<folder>/.parley`, and what a first tool needs around it. Never overwrites.
 *
 * @throws {@link ToolFileExistsError} before anything is written; `LinkedPathError` where a link would lead elsewhere.
 */
export function* createNewTool(folder: string, name: string, template: Template): Operation<NewTool> {
  const home = join(folder, '.parley');
  const files = templateFiles(template, namesOf(name)).map(({ path, text }) => ({
    path: join(home, path),
    text,
  }));
  for (const { path } of files) {
    if ((yield* kindOf(path)) !== 'nothing') throw new ToolFileExistsError(path);
  }
  yield* writeParleyFolder(home);
  // The tool last: it is loaded as soon as it is there, and what it imports has to be there by then.
  for (const { path, text } of files.toReversed()) {
    yield* makePlainFolder(folder, dirname(path));
    if (!(yield* writeNew(path, text))) throw new ToolFileExistsError(path);
  }
  const [main] = files;
  if (!main) throw new Error(`the template '${template}' has no files`);
  return { file: main.path, written: files.map(({ path }) => path), select: descriptionIn(main.text) };
}

function descriptionIn(text: string): NewTool['select'] {
  const call = /\.description\('([^']*)'/.exec(text);
  if (!call) return { from: 0, to: 0 };
  const from = call.index + call[0].length - (call[1]?.length ?? 0) - 1;
  return { from, to: from + (call[1]?.length ?? 0) };
}
