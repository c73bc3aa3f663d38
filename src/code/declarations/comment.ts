/** Characters of a description. */
const LONGEST = 2000;

/** A description as a comment above what it describes; nothing for none. It cannot end the comment that it is in. */
export function commentOf(description: unknown, indent: string): string {
  if (typeof description !== 'string' || description.trim() === '') return '';
  const text = description.trim().slice(0, LONGEST).replaceAll('*/', '*\\/');
  const lines = text.split(/\r?\n/);
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`, ''].join('\n');
}
