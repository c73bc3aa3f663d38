import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';
import { root } from './paths.ts';

/** That a file imports something: another file, by its path, or a package, by its name. Types count, too. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** What all source files import. */
export async function importsOfSources(): Promise<readonly Import[]> {
  return (await sources()).flatMap(([file, text]) => importsOf(file, text));
}

/** The source files with this in their text. */
export async function sourcesThatSay(what: RegExp): Promise<readonly string[]> {
  return (await sources()).filter(([, text]) => what.test(text)).map(([file]) => file);
}

async function sources(): Promise<(readonly [file: string, text: string])[]> {
  const files: string[] = [];
  for await (const file of glob('{src,webview}/**/*.{ts,tsx}', { cwd: root })) files.push(file);
  return Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const));
}

/** What a file with this text imports, and what it exports of others. */
export function importsOf(from: string, text: string): readonly Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(from, text).module;
  const specifiers = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...dynamicImports.map(
      ({ moduleRequest: { start, end } }) => /^'([^']+)'$/.exec(text.slice(start, end))?.[1],
    ),
  ];
  return [...new Set(specifiers)]
    .filter((specifier) => specifier !== undefined)
    .map((to) => ({ from, to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to }));
}
