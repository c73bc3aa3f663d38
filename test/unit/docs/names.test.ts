import { existsSync, readdirSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** What is written for people who change the project. */
const PAGES = [
  'docs/architecture.md',
  'CONTRIBUTING.md',
  '{src,webview,build}/**/README.md',
  'test/harness/README.md',
];

/** Files of users, a name that stands for any, and what engines have. */
const NOT_OURS = new Set(['tasks.json', 'mcp.json', 'useX', 'prepareStackTrace']);

/** What commands leave in a clone: it may be there, or not yet. */
const LEFT_BY_COMMANDS = /^(dist|release|test-results|\.vscode-test)\//;

/** A code span in a page. */
interface Span {
  readonly page: string;
  readonly text: string;
}

let spans: readonly Span[];

/** Every word of our own code, the manifest and the tests. */
let words: ReadonlySet<string>;

beforeAll(async () => {
  const pages: string[] = [];
  for await (const page of glob(PAGES, { cwd: root })) pages.push(page);
  const read = await Promise.all(
    pages.map(async (page) =>
      codeSpans(await readFile(join(root, page), 'utf8')).map((text) => ({ page, text })),
    ),
  );
  spans = read.flat();
  const found = new Set<string>();
  const code = ['{src,webview,build,test,examples}/**/*.{ts,tsx,cjs,css,json}', '*.{json,mjs}', '.ci/run'];
  for await (const file of glob(code, { cwd: root, exclude: ['**/node_modules'] })) {
    for (const [word] of (await readFile(join(root, file), 'utf8')).matchAll(/[\w$]+/g)) found.add(word);
  }
  words = found;
});

describe('pages for people who change Parley', () => {
  test('name files and folders that are there', () => {
    const paths = spans.filter(({ text }) => isPath(text));
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter(({ page, text }) => !isThere(text, page))).toEqual([]);
  });

  test('name things that the code has', () => {
    const names = spans.flatMap(({ page, text }) => namesIn(text).map((name) => ({ page, name })));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter(({ name }) => !words.has(name))).toEqual([]);
  });

  test('would be found out', () => {
    expect(codeSpans('See `a/b.ts`.\n```ts\n`no`\n```\nand `useNothing`.')).toEqual(['a/b.ts', 'useNothing']);
    expect(isPath('core/tool/context.ts')).toBe(true);
    expect(isThere('core/tool/nothing.ts', 'docs/architecture.md')).toBe(false);
    expect(namesIn('useNothing(): Operation<X>')).toEqual(['useNothing']);
  });
});

/** The text between single backticks, without fenced blocks. */
function codeSpans(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, text]) => String(text));
}

/** A file or folder of ours: `core/tool/context.ts`, `to-host.ts`, `test/unit/docs/`. No pattern, no package, no setting. */
function isPath(text: string): boolean {
  const isOne = /^[\w.-]+(\/[\w.-]+)*(\.(ts|tsx|json|mjs|css|cjs)|\/)$/.test(text);
  return isOne && !NOT_OURS.has(text) && !LEFT_BY_COMMANDS.test(text);
}

/** Whether it is there: from the root, from `src`, from the folder of the page, or from the room that its paragraph is about. */
function isThere(path: string, page: string): boolean {
  const rooms = readdirSync(join(root, 'src')).map((room) => `src/${room}`);
  return ['', 'src', dirname(page), ...rooms].some((from) => existsSync(join(root, from, path)));
}

/** Names of code in it, as `serveRequest`: two words written as one. */
function namesIn(text: string): readonly string[] {
  if (/[/\s"'|-]/.test(text.replace(/\(.*$/, ''))) return [];
  const name = /^(?:\w+\.)*([A-Za-z_$][\w$]*)/.exec(text)?.[1];
  return name !== undefined && /[a-z][A-Z]/.test(name) && !NOT_OURS.has(name) ? [name] : [];
}
