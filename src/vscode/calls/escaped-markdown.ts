import { withoutEscapes } from '../../core/messages/without-escapes.ts';

/** What a tool or a model says as text, never as Markdown of its own: no link, no picture, no heading. */
export function plainText(text: string): string {
  return withoutEscapes(text)
    .replace(/[\\`*_{}[\]()<>#+!|~$&@]|:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')
    .replace(/^(\s*)([-=]|\d+(?=[.)]))/gm, '$1\\$2')
    .replace(/^ {4,}|\t/gm, ' ');
}

/** Text as the name of a button, which is no Markdown but shows `$(name)` as an icon. */
export function buttonText(text: string): string {
  return text.replace(/\$\(/g, '$ (');
}

/** Text as it is, in a block that nothing in it ends. */
export function fenced(text: string, language = ''): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
