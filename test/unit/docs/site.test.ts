import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { brokenLinks } from '#build/docs/links.ts';
import { llmsText } from '#build/docs/llms.ts';
import { indexed, readSections, sitePage, withoutTemplates } from '#build/docs/pages.ts';
import { tempFolder } from '#test/temp-folder.ts';

/* What `npm run docs` puts together; it fetches a generator, and so runs in no ring. */

const root = join(import.meta.dirname, '../../..');
const sections = readSections(root).filter(({ name }) => name !== 'API');
const pages = sections.flatMap((section) => section.pages);

test('the list in the README, which the site and llms.txt follow, has every page', () => {
  const listed = pages.map(({ path }) => path);
  const written = globSync(['docs/*.md', 'examples/packs/*/README.md'], { cwd: root });
  expect(written.filter((path) => !listed.includes(path.replaceAll('\\', '/')))).toEqual([]);
});

test('llms.txt says in a line what each page is about', () => {
  const text = llmsText(readFileSync(join(root, 'README.md'), 'utf8'), sections);
  expect(text).toMatch(/^# Parley\n\n> MCP tools that can stop and ask\. .+\n\n## /);
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  expect(lines).toHaveLength(pages.length);
  expect(lines.filter((line) => !/^- \[[^\]]+\]\([\w./-]+\.md\): .{10,250}[.!?]$/.test(line))).toEqual([]);
});

test('a link of a page leads to a page of the site, or out of it', () => {
  const paths = new Set(['README.md', ...pages.map(({ path }) => path)]);
  const shown = new Set([...paths].map(indexed));
  const links = pages.flatMap((page) =>
    [...sitePage(page, paths, undefined).matchAll(/[^!]\[[^\]]*\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, to = '']) => posix.join(dirname(page.path), to),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((to) => !shown.has(to))).toEqual([]);
});

test('a link to a file outside leads to the repository, or says its path', () => {
  const page = {
    path: 'docs/a.md',
    title: '',
    summary: '',
    markdown: '[the code](../src/x.ts#L1), [b](b.md#c)',
  };
  const pagesOf = new Set(['docs/a.md', 'docs/b.md']);
  expect(sitePage(page, pagesOf, 'https://host/o/r')).toBe(
    '[the code](https://host/o/r/blob/HEAD/src/x.ts), [b](b.md#c)',
  );
  expect(sitePage(page, pagesOf, undefined)).toBe('the code (`src/x.ts`), [b](b.md#c)');
});

test('what only looks like a template is text', () => {
  const code = '`a<b>{{c}}`\n\n```ts\nx<T>({{}})\n```\n';
  expect(withoutTemplates(`${code}<T> </b> <!-- c --> <https://x.y> 1 < 2 {{ 1 }}`)).toBe(
    `${code}&lt;T> &lt;/b> <!-- c --> <https://x.y> 1 < 2 <span v-pre>{{</span> 1 }}`,
  );
});

test('a built page that links to no page, or to no heading of it, is found out', async () => {
  const site = tempFolder();
  await writeFile(
    join(site, 'index.html'),
    '<a href="/b.html#here"></a><a href="./c.html"></a><img src="/x.png">',
  );
  await writeFile(
    join(site, 'b.html'),
    '<h2 id="here"></h2><a href="#there"></a><a href="./"></a><a href="https://x.y/z"></a>',
  );
  expect(brokenLinks(site)).toEqual(['b.html: #there', 'index.html: ./c.html', 'index.html: /x.png']);
});
