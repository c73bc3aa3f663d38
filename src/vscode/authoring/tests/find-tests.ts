/** A test in a file, as it stands there. */
export interface FoundTest {
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

/** Whether a file is one of Node's own test runner: other runners have extensions of their own. */
export function isTestFile(text: string): boolean {
  return /['"]node:test['"]/.test(text);
}

/**
 * Which of these files has the tests of a tool: one that is called as the tool or as its file is, and rather the first than those
 * that were saved later (`greet-2.test.ts`).
 */
export function testFileOf(called: readonly string[], files: readonly string[]): string | undefined {
  const named = files.flatMap((file) => {
    const [, name = '', number = '1'] = /^(.+?)(?:-(\d+))?\.test\.(?:m?[jt]s)$/.exec(file) ?? [];
    const whole = called.indexOf(file.replace(/\.test\.\w+$/, ''));
    const at = whole === -1 ? called.indexOf(name) : whole;
    return at === -1 ? [] : [{ file, at, number: whole === -1 ? Number(number) : 1 }];
  });
  return named.sort((a, b) => a.at - b.at || a.number - b.number)[0]?.file;
}

/** The tests of a file by name; those that it makes in a loop come with their first run. */
export function testsIn(text: string): FoundTest[] {
  const calls = text.matchAll(/^[ \t]*(?:test|it)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm);
  return [...calls].flatMap(({ index, 0: whole, 1: quote, 2: name = '' }) => {
    if (quote === '`' && name.includes('${')) return [];
    const line = text.slice(0, index + whole.search(/\S/)).split('\n').length;
    return [{ name: name.replace(/\\(.)/g, '$1'), line }];
  });
}

/** What Node is told to run these tests of a file alone: it knows a test by its name behind those of what it stands in. */
export function patternOf(names: readonly string[]): string {
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return `(^| )(${escaped.join('|')})$`;
}
