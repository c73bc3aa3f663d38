/** A fenced block of TypeScript in a Markdown file. */
export interface CodeBlock {
  /** The file it stands for: what follows the language on the fence, as in ` ```ts pick-color/tool.ts `. */
  readonly file: string;
  readonly code: string;
  /** The line of its first line of code, counted from 1. */
  readonly line: number;
}

/**
 * The TypeScript blocks of a Markdown text. Shell sessions, drawings and other languages are not among them.
 *
 * @throws when a block says no file, or a file that another block has said: every block is checked, or none is.
 */
export function codeBlocksOf(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const match of markdown.matchAll(/^```tsx?\b *(.*)\n([\s\S]*?)^```$/gm)) {
    const [, file = '', code = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length + 1;
    if (!/\.tsx?$/.test(file))
      throw new Error(`line ${line - 1}: say which file the block is: \`\`\`ts name.ts`);
    if (blocks.some((block) => block.file === file)) throw new Error(`line ${line - 1}: a second ${file}`);
    blocks.push({ file, code, line });
  }
  return blocks;
}
