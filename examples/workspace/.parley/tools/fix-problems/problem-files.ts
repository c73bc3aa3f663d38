import type { Operation } from 'effection';
import type { Root } from 'parley-mcp';
import { type Diagnostic, type DiagnosticSeverity, useDiagnostics } from 'parley-mcp/editor';

/** A file with problems. */
export interface ProblemFile {
  readonly uri: string;
  /** As a person reads it: relative to its workspace folder. */
  readonly path: string;
  readonly problems: readonly Diagnostic[];
}

const SEVERITIES: readonly DiagnosticSeverity[] = ['error', 'warning', 'information', 'hint'];

/** The files with problems at least as bad as `severity`, the worst first. */
export function* problemFiles(
  uri: string | undefined,
  severity: DiagnosticSeverity,
  roots: readonly Root[],
): Operation<readonly ProblemFile[]> {
  const diagnostics = yield* useDiagnostics();
  const found = yield* diagnostics.list(uri);
  const rank = (problem: Diagnostic) => SEVERITIES.indexOf(problem.severity);
  const bad = found.filter((problem) => rank(problem) <= SEVERITIES.indexOf(severity));
  const files = [...Map.groupBy(bad, (problem) => problem.uri)].map(([file, problems]) => ({
    uri: file,
    path: pathOf(file, roots),
    problems: [...problems].sort((a, b) => a.range.start.line - b.range.start.line),
  }));
  const errors = ({ problems }: ProblemFile) => problems.filter((one) => one.severity === 'error').length;
  return files.sort(
    (a, b) => errors(b) - errors(a) || b.problems.length - a.problems.length || (a.path < b.path ? -1 : 1),
  );
}

/**
 * The URI of a file that a caller names: relative to a workspace folder, or absolute and within one.
 *
 * @throws with what to do when it is outside of all of them.
 */
export function fileUri(file: string, roots: readonly Root[]): string {
  if (roots.length === 0) throw new Error('No folder is open. Open the folder that the file is in.');
  const isUri = file.startsWith('file:');
  // What is decoded to a separator hides the way up from code that resolves before it decodes.
  if (isUri && /%(?:2f|5c|00)/i.test(file)) throw outside(file, roots);
  const absolute = isUri || /^(\/|[a-zA-Z]:[\\/])/.test(file);
  for (const root of roots) {
    const base = `${root.uri.replace(/\/+$/, '')}/`;
    const resolved = isUri ? new URL(file).href : new URL(encoded(file), absolute ? 'file:///' : base).href;
    if (decoded(resolved).startsWith(decoded(base))) return resolved;
  }
  throw outside(file, roots);
}

function outside(file: string, roots: readonly Root[]): Error {
  const names = roots.map(({ uri, name }) => name ?? uri).join(', ');
  return new Error(`“${file}” is in no folder of this workspace. Name it relative to one of: ${names}.`);
}

/** Relative to the folder that holds it; the whole path outside of all folders. */
export function pathOf(uri: string, roots: readonly Root[]): string {
  for (const root of roots) {
    const base = `${decoded(root.uri).replace(/\/+$/, '')}/`;
    if (decoded(uri).startsWith(base)) return decoded(uri).slice(base.length);
  }
  return decoded(uri).replace(/^file:\/\//, '');
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A path as part of a URL; what stands for itself in a URL stays. */
function encoded(path: string): string {
  return path.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}
