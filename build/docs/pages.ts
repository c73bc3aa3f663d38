import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { localLinks } from '../release/packed-readme.ts';

/** A page of the documentation. */
export interface Page {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly markdown: string;
}

/** Pages under a heading, in the order in which they are read. */
export interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

/** The folder of the API reference, which `npm run docs:api` writes. */
const API = 'docs/api';

/**
 * The documentation, as the list at the end of the README has it: `- **Section**: [page](path), [page](path)`. The API reference
 * is the last section, when it was made.
 */
export function readSections(root: string): readonly Section[] {
  const [, list = ''] = readFileSync(join(root, 'README.md'), 'utf8').split(/^## Documentation$/m);
  const sections = [...list.matchAll(/^- \*\*([^*]+)\*\*: ([\s\S]*?)(?=\n(?:- |\n|<!--))/gm)];
  const api = globSync(`${API}/**/*.md`, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return [
    ...sections.map(([, name = '', links = '']) => ({
      name,
      pages: [...new Set([...links.matchAll(/\]\(([^)#]+\.md)/g)].map(([, path = '']) => path))],
    })),
    { name: 'API', pages: api.filter((path) => path !== `${API}/README.md`).sort() },
  ]
    .map(({ name, pages }) => ({ name, pages: pages.map((path) => readPage(root, path)) }))
    .filter(({ pages }) => pages.length > 0);
}

/** A page, and what it is about. */
export function readPage(root: string, path: string): Page {
  const markdown = readFileSync(join(root, path), 'utf8');
  const [, title = path] = /^# (.+)$/m.exec(markdown) ?? [];
  const [intro = ''] = markdown.split(/^## /m);
  const first = intro.split(/\n\s*\n/).find((block) => !/^(?:#|\||```|>|<|- |\d+\. )/.test(block)) ?? '';
  const [summary = ''] = plain(first).match(/^.*?[.:!?](?= |$)/) ?? [plain(first)];
  return { path, title, summary: summary.replace(/:$/, '.'), markdown };
}

/** Text without the marks of Markdown. */
export function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)|\*\*|\b_|_\b/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Where a page is on the site: a README is the page of its folder. */
export function indexed(path: string): string {
  return path.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');
}

/** A line that is a link to code. */
const CODE = /^\[`[^`\]]+`\]\(([^)\s]+\.tsx?)\)$/gm;

/** A page with the code in place of a line that only links to it. */
export function withCode(root: string, page: Page): Page {
  const code = (target: string) => readFileSync(join(root, dirname(page.path), target), 'utf8');
  const markdown = page.markdown.replace(CODE, (_, target) => `\`\`\`ts\n${code(target)}\`\`\``);
  return { ...page, markdown };
}

/** Markdown as VitePress takes it, to which a tag or `{{` outside of code is a template. Autolinks and comments stay. */
export function withoutTemplates(markdown: string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]+`)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/<(?!https?:)(?=[a-z/])/gi, '&lt;').replaceAll('{{', '<span v-pre>{{</span>'),
    )
    .join('');
}

/**
 * A page as a site of `pages` shows it: a link to a file that is no page of it leads to the public repository, or where there is
 * none says the path.
 */
export function sitePage(page: Page, pages: ReadonlySet<string>, repository: string | undefined): string {
  return page.markdown.replace(localLinks, (whole, bang: string, label: string, target: string) => {
    const [file = ''] = target.split('#');
    const path = posix.normalize(posix.join(dirname(page.path), file));
    if (bang !== '') return whole;
    if (pages.has(path)) return `[${label}](${indexed(target)})`;
    if (repository !== undefined) return `[${label}](${repository}/blob/HEAD/${path})`;
    return label.includes(posix.basename(path)) ? label : `${label} (\`${path}\`)`;
  });
}
