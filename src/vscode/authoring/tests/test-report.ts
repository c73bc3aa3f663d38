import { isAbsolute, join, relative } from 'node:path';
import * as z from 'zod/mini';

const ended = z.object({
  type: z.literal('test'),
  name: z.string(),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  suite: z.boolean(),
  how: z.enum(['passed', 'failed', 'skipped']),
  duration: z.optional(z.number()),
  message: z.optional(z.string()),
  stack: z.optional(z.string()),
  expected: z.optional(z.string()),
  actual: z.optional(z.string()),
});

const covered = z.object({
  type: z.literal('coverage'),
  file: z.string(),
  lines: z.array(z.tuple([z.number(), z.number()])),
});

const warned = z.object({ type: z.literal('warning'), message: z.string() });

/** A test that ended. */
export type EndedTest = z.infer<typeof ended>;

/** How often each line of a file ran. */
export type CoveredFile = z.infer<typeof covered>;

/** How a run went. */
export interface TestReport {
  readonly tests: EndedTest[];
  readonly files: CoveredFile[];
  /** Why there is less than was asked for, as no coverage. */
  readonly warnings: string[];
}

/** What `testing/node/reporter.ts` wrote: code of the workspace ran beside it, so what is no line of its is left out. */
export function readReport(text: string): TestReport {
  const tests: EndedTest[] = [];
  const files: CoveredFile[] = [];
  const warnings: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const value = parsed(line);
    const test = ended.safeParse(value);
    if (test.success) tests.push(test.data);
    const file = covered.safeParse(value);
    if (file.success) files.push(file.data);
    const warning = warned.safeParse(value);
    if (warning.success) warnings.push(warning.data.message);
  }
  return { tests, files, warnings };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The line of a file, from 1, in which a stack first leads to it. */
export function stackLine(stack: string | undefined, file: string): number | undefined {
  const name = file.replaceAll('\\', '/');
  for (const line of (stack ?? '').split('\n')) {
    const at = decoded(line.replaceAll('\\', '/')).indexOf(`${name}:`);
    const number = at === -1 ? undefined : /^\d+/.exec(decoded(line).slice(at + name.length + 1))?.[0];
    if (number !== undefined) return Number(number);
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/**
 * Of what a run covered, the files that the person wrote: those of their folder that are no tests, and neither Parley nor npm put there.
 * Views do not run in tests, they only stand for themselves. `real` is where the folder really is, which is how Node knows its files.
 */
export function ownFiles(files: readonly CoveredFile[], folder: string, real = folder): CoveredFile[] {
  return files.flatMap((one) => {
    const path = relative(real, one.file);
    const from = `/${path.replaceAll('\\', '/')}`;
    const others = /\/node_modules\/|\/\.parley\/(?:\.generated|tests)\/|\.view\.[jt]sx$/.test(from);
    return isAbsolute(path) || /^\.\.(?:[\\/]|$)/.test(path) || others
      ? []
      : [{ ...one, file: join(folder, path) }];
  });
}

/** The coverage of several runs as one: how often each line ran in all. */
export function mergeCoverage(
  files: readonly CoveredFile[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const merged = new Map<string, Map<number, number>>();
  for (const { file, lines } of files) {
    const counts = merged.get(file) ?? new Map<number, number>();
    for (const [line, count] of lines) counts.set(line, (counts.get(line) ?? 0) + count);
    merged.set(file, counts);
  }
  return merged;
}
