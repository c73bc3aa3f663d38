import { ERROR_CLASSES } from '../../core/errors/errors.ts';
import type { TracePart } from '../../panel-port/index.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import type { SourceLocation } from '../../workspace/registry/problem.ts';
import { chainOf } from './chain.ts';

/** How many frames of an error are told. */
const mostFrames = 200;

/** What a trace is made with. */
export interface TraceParts {
  readonly stackMaps: Pick<StackMaps, 'frames'>;
  /** A file as the person knows it: relative to the folder it is in. */
  nameOf(file: string): string;
}

/** An error and its causes: each with the lines of the author's files that it came through, apart from all others. */
export function traceOf(thrown: unknown, { stackMaps, nameOf }: TraceParts): TracePart[] {
  return chainOf(thrown, stackMaps).map(({ error, frames }) => ({
    title: headline(error),
    own: frames.flatMap(({ text, place }) =>
      place ? [{ text: text.replace(/^at /, ''), label: labelOf(place, nameOf), place }] : [],
    ),
    internal: frames.flatMap(({ text, place }) => (place ? [] : [text])).slice(0, mostFrames),
  }));
}

/** What an error says, with its class: `TypeError: x is not a function`. Parley's own errors are whole sentences. */
export function headline(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code } = error as Record<'name' | 'message' | 'code', unknown>;
  const text = String(message ?? '');
  const plain = name === undefined || name === 'Error' || ERROR_CLASSES.has(String(code));
  return plain ? text : `${String(name)}: ${text}`;
}

function labelOf({ file, line, column }: SourceLocation, nameOf: (file: string) => string): string {
  return `${nameOf(file)}:${line}:${column}`;
}
