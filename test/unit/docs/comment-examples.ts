/** The code below one `@example` of a comment. */
export interface CommentExample {
  readonly code: string;
  /** The line of its first line of code, counted from 1. */
  readonly line: number;
}

/** The examples in the doc comments of a source. */
export function commentExamplesOf(source: string): CommentExample[] {
  const examples: CommentExample[] = [];
  for (const { 0: comment, index } of source.matchAll(/\/\*\*[\s\S]*?[^\\]\*\//g)) {
    const lines = comment.split('\n').map((line) => line.replace(/^ *(\/\*\*|\*\/|\*(?!\/)) ?/, ''));
    const first = source.slice(0, index).split('\n').length;
    for (const [at, text] of lines.entries()) {
      if (text.trim() !== '@example') continue;
      const rest = lines.slice(at + 1);
      const end = rest.findIndex((line) => /^@\w/.test(line));
      const code = rest.slice(0, end === -1 ? undefined : end).filter((line) => !line.startsWith('```'));
      examples.push({ code: `${code.join('\n').replaceAll('*\\/', '*/').trim()}\n`, line: first + at + 1 });
    }
  }
  return examples;
}

/**
 * An example as a module: what it takes from others is imported from where `entries` says, and what is not declared in it stays
 * unknown. Statements stand in a function that may wait in the way that they do.
 */
export function exampleModule(code: string, entries: ReadonlyMap<string, string>): string {
  const imports = [...new Set(code.match(/[\w$]+/g))].flatMap((name) => {
    const from = entries.get(name);
    const declared = new RegExp(`(?:const|let|function\\*?|class) ${name}\\b`).test(code);
    return from === undefined || declared ? [] : [`import { ${name} } from '${from}';`];
  });
  const kind = code.includes('await ') ? 'async function ' : 'function* ';
  const body = /^export /m.test(code) ? code : `export ${kind}example() {\n${code}}\n`;
  if (/\bz\./.test(code)) imports.push("import * as z from 'zod';");
  return `${imports.join('\n')}\n${body}`;
}
