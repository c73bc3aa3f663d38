import { plain, type Section } from './pages.ts';

/**
 * The documentation for models, as llmstxt.org has it: what it is, and a line for each page. Its links lead to Markdown, in the package
 * and on the site alike.
 */
export function llmsText(readme: string, sections: readonly Section[]): string {
  const [, title = '', about = ''] = /^# (.+)\n+([\s\S]+?)\n\n/.exec(readme) ?? [];
  const lists = sections.map(({ name, pages }) =>
    [
      `## ${name}\n`,
      ...pages.map(({ path, title, summary }) => `- [${title}](${path})${summary && `: ${summary}`}`),
    ].join('\n'),
  );
  return `${[`# ${title}`, `> ${plain(about)}`, ...lists].join('\n\n')}\n`;
}
