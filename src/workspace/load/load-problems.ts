import { readFile } from 'node:fs/promises';
import { type Operation, until } from 'effection';
import { isParleyError, toError } from '../../core/errors/errors.ts';
import type { Unended } from '../../core/plugin/unended.ts';
import type { Problem } from '../registry/problem.ts';
import { locateExport, locateKeys } from './locate.ts';
import type { StackMaps } from './stack-maps.ts';

/** Why a tool file could not be loaded, at the line of the author's file that failed. */
export function* loadProblem(file: string, thrown: unknown, stackMaps: StackMaps): Operation<Problem> {
  const error = toError(thrown);
  const isDefinition = isParleyError(error, 'TOOL_DEFINITION') || isParleyError(error, 'PLUGIN_DEFINITION');
  const place = stackMaps.placeOf(error.stack ?? '') ?? { file, line: 1, column: 1 };
  const finer = isDefinition ? yield* finerLocation(place.file, place.line, error.details) : undefined;
  return {
    kind: isDefinition ? 'definition' : 'load',
    severity: 'error',
    length: 0,
    ...place,
    ...finer,
    message: isDefinition
      ? error.message
      : `${error.name}: ${inAuthorsWords(error)} (while the file was loaded)`,
  };
}

/** What calls something that a module does not export, or that is defined nowhere, also as bundlers write it. */
const CALLS_IMPORTED = /^(?:\(0, ?)?(?:[\w$]+\.)?([\w$]+)\)? is not a function$/;
const CALLS_STEP = /createMcpTool\)?\(\.\.\.\).*\.([\w$]+) is not a function$/;

function inAuthorsWords({ message }: Error): string {
  const [, step] = CALLS_STEP.exec(message) ?? [];
  if (step !== undefined)
    return `a tool has no .${step}(): its code comes last, in .execute(function* (params, ctx) { … })`;
  const plain = message.replace('(0 ,', '(0,');
  const [, name] = CALLS_IMPORTED.exec(plain) ?? [];
  return name === undefined || /^[\w$]+\./.test(plain)
    ? message
    : `${name} is not a function: the module that it is imported from exports no function of this name`;
}

/** Said of an export that was begun and not ended: it is no tool. `text` is what the file says. */
export function notEnded(file: string, text: string, name: string, { of, end }: Unended): Problem {
  const message = `the export '${name}' is not a complete ${of} and is ignored: end it with ${end}`;
  const place = locateExport(text, name) ?? { line: 1, column: 1, length: 0 };
  return { kind: 'load', severity: 'warning', file, ...place, message };
}

/** Said of a link among the tools: what it leads to may be no part of the folder that the person trusts, and Git does not tell when that changes. */
export function notFollowed(file: string): Problem {
  const message =
    'Links are not followed, so no tools are loaded from behind this one. Put a file here that exports them: `export * from …`.';
  return { kind: 'load', severity: 'warning', file, line: 1, column: 1, length: 0, message };
}

/** Said of a glob of the setting that no files are looked for with. */
export function notUsed(folder: string, glob: string): Problem {
  const shown = glob.length > 60 ? `${glob.slice(0, 60)}…` : glob;
  const message = `The glob ${JSON.stringify(shown)} of the setting parley.tools.include is not used: it leads out of this folder, or is longer than 1,000 characters. Write one that is relative to the folder, such as "scripts/**/*.tool.ts".`;
  return { kind: 'load', severity: 'warning', file: folder, line: 1, column: 1, length: 0, message };
}

/** Where the key and the property that the error names are written. */
function* finerLocation(file: string, line: number, details: Readonly<Record<string, unknown>> | undefined) {
  const names = [details?.key, details?.property].flatMap((name) => (typeof name === 'string' ? [name] : []));
  const exported = details?.exported;
  if (names.length === 0 && typeof exported !== 'string') return undefined;
  try {
    const text = yield* until(readFile(file, 'utf8'));
    return typeof exported === 'string' ? locateExport(text, exported) : locateKeys(text, line, names);
  } catch {
    // The file is gone meanwhile; the coarse place will do.
    return undefined;
  }
}
