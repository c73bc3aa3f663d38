import type { Metafile } from 'esbuild';

/** All that can be reached from a node, itself included. */
export function reachable(from: string, next: (node: string) => Iterable<string>): ReadonlySet<string> {
  const seen = new Set([from]);
  for (const node of seen) for (const other of next(node)) seen.add(other);
  return seen;
}

/** The source files that a source file needs, as the metafile names them. */
export function inputsOf(metafile: Metafile, input: string): ReadonlySet<string> {
  return reachable(input, (path) => metafile.inputs[path]?.imports.map((imported) => imported.path) ?? []);
}
