import { inspect } from 'node:util';

/** An event of Node's test runner, as far as it is read here. */
interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly message?: string;
    readonly nesting?: number;
    readonly file?: string;
    readonly line?: number;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details?: { readonly duration_ms?: number; readonly type?: string; readonly error?: unknown };
    readonly summary?: { readonly files: readonly CoveredFile[] };
  };
}

interface CoveredFile {
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly count: number }[];
}

/**
 * A reporter of Node's test runner (`--test-reporter`): one line of JSON for each test that ended, one for the coverage of each file, and
 * one where that cannot be had. The editor reads them.
 */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter as the default export of its module
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') yield line(endOf(type, data));
    if (type === 'test:diagnostic' && data.message?.startsWith('Warning: '))
      yield line({ type: 'warning', message: data.message });
    if (type !== 'test:coverage') continue;
    for (const { path, lines } of data.summary?.files ?? []) {
      yield line({ type: 'coverage', file: path, lines: lines.map((one) => [one.line, one.count]) });
    }
  }
}

function endOf(type: string, { name, file, line: at, skip, todo, details }: TestEvent['data']) {
  const skipped = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
  const failure = type === 'test:fail' && !skipped ? failureOf(details?.error) : undefined;
  return {
    type: 'test',
    name,
    file,
    line: at,
    suite: details?.type === 'suite',
    how: skipped ? 'skipped' : failure ? 'failed' : 'passed',
    duration: details?.duration_ms,
    ...failure,
  };
}

/** What a test failed with: the runner's own error has it as its cause. */
function failureOf(error: unknown): object {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { message, stack, expected, actual, code } = Object(cause) as Record<string, unknown>;
  const compared = code === 'ERR_ASSERTION' && (expected !== undefined || actual !== undefined);
  return {
    message: typeof message === 'string' ? message : String(cause),
    stack: typeof stack === 'string' ? stack : undefined,
    ...(compared ? { expected: shown(expected), actual: shown(actual) } : {}),
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 8, sorted: true });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
