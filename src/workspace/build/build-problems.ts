import type { Location, Message } from 'esbuild';
import { fileOfMessage } from '../bundler/build-around.ts';
import type { Problem } from '../registry/problem.ts';

/** What esbuild says, as problems; each once. `dir` is what paths are relative to, and stands in where there is none. */
export function buildProblems(
  messages: readonly Message[],
  severity: Problem['severity'],
  dir: string,
): Problem[] {
  const problems = new Map<string, Problem>();
  for (const message of messages) {
    const problem = buildProblem(message, severity, dir);
    problems.set(JSON.stringify(problem), problem);
  }
  return [...problems.values()];
}

/** What is wrong with a file whose name cannot be built. */
export function misread(file: string): Problem {
  const message = 'A file with a backslash in its path cannot be built: rename it.';
  return { kind: 'build', severity: 'error', file, line: 1, column: 1, length: 0, message };
}

function buildProblem(message: Message, severity: Problem['severity'], dir: string): Problem {
  const { location, text, notes } = message;
  const related = notes.flatMap((note) =>
    note.location && !MISLEADING.test(note.text)
      ? [
          {
            file: fileOfMessage({ ...message, location: note.location }, dir) ?? dir,
            line: note.location.line,
            column: columnOf(note.location),
            message: note.text,
          },
        ]
      : [],
  );
  return {
    kind: 'build',
    severity,
    file: fileOfMessage(message, dir) ?? dir,
    line: location?.line ?? 1,
    column: location ? columnOf(location) : 1,
    length: location ? utf16(location.lineText, location.column, location.column + location.length) : 0,
    message: inAuthorsWords(text, location),
    ...(related.length > 0 && { related }),
  };
}

function inAuthorsWords(text: string, location: Location | null): string {
  const [, path] = NOT_FOUND.exec(text) ?? [];
  if (path !== undefined) return `${text}: ${whereToGetIt(path)}`;
  if (TOP_LEVEL_AWAIT.test(text))
    return 'Top-level await is not available in a tool: wait in the tool, with `yield* until(promise)`';
  const { lineText = '', column = 0 } = location ?? {};
  if (text.startsWith('"await" can only')) {
    const [, verb] = /^await\s+(ctx\.[\w.]+)\(/.exec(Buffer.from(lineText).subarray(column).toString()) ?? [];
    return `${text}: a tool waits with \`yield*\`: write \`yield* ${verb ? `${verb}(…)` : 'until(promise)'}\``;
  }
  if (text.startsWith('"yield" is a reserved word'))
    return '`yield*` is not in a generator function here, as in a callback: write `for (const item of items) { … }`, or `function*`';
  const isArrow = text === 'Unexpected "*"' && /[(,=]\s*\*\s*\(/.test(lineText);
  return isArrow ? `${text}: there are no arrow generators: write \`function* (…) { … }\`` : text;
}

const NOT_FOUND = /^Could not resolve "(.+)"$/;
const TOP_LEVEL_AWAIT = /^Top-level await is /;
/** What esbuild adds that no tool can do. */
const MISLEADING = /^Consider adding the "async" keyword|^This file is considered to be an ECMAScript module/;

function whereToGetIt(path: string): string {
  if (/^[./]/.test(path)) return 'there is no such file. Correct the path, or make the file';
  if (path.startsWith('#')) return '"imports" of the package.json has nothing under this name';
  const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
  if (/^(parley|parley-mcp|@parley(-mcp)?\/.*)$/.test(name)) return "tools import from 'parley-mcp'";
  if (name === 'zod') return "tools import from 'zod', or 'zod/v4'";
  if (/^(@modelcontextprotocol\/.*|fastmcp)$/.test(name))
    return 'Parley serves the tools: leave the server out, and export what createMcpTool(…)….execute(…) gives';
  if (name === path) return `correct the name, or install the package: npm install ${name}`;
  return `correct the path behind '${name}', or install the package that has it: npm install ${name}`;
}

function columnOf({ lineText, column }: Location): number {
  return utf16(lineText, 0, column) + 1;
}

/** How many UTF-16 code units a range is long that esbuild gives in bytes. */
function utf16(text: string, from: number, to: number): number {
  return Buffer.from(text).subarray(from, to).toString().length;
}
