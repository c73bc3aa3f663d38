import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slugOf } from '#build/docs/slugs.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Where the paths in “to do X, copy Y” tables may begin. */
const BASES = ['', 'src', 'examples/workspace/.parley/tools'].map((base) => join(root, base));

const documents: string[] = [];
const places = ['*.md', 'docs/*.md', 'examples/**/*.md', '{src,test}/**/*.md', '{webview,build}/*.md'];
for await (const path of glob(places, { cwd: root })) documents.push(path);

describe.each(documents)('%s', async (path) => {
  const markdown = await readFile(join(root, path), 'utf8');

  test('links to files and headings that are there', async () => {
    const broken: string[] = [];
    for (const [, target = ''] of markdown.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const linked = file === '' ? join(root, path) : join(root, dirname(path), file);
      if (!existsSync(linked)) broken.push(target);
      else if (heading !== undefined && !headingsOf(await readFile(linked, 'utf8')).includes(heading)) {
        broken.push(target);
      }
    }
    expect(broken).toEqual([]);
  });

  test('says to copy only what is there', () => {
    const [, section = ''] = markdown.split(/^## To do X, copy Y$/m);
    const paths = [...section.matchAll(/`([\w./-]+(?:\.\w+|\/))`/g)].map(([, found = '']) => found);
    expect(paths.filter((found) => !BASES.some((base) => existsSync(join(base, found))))).toEqual([]);
  });
});

describe.each(documents.filter((path) => /^(src|webview|build)\b/.test(path)))('%s', (path) => {
  test('names only files that are there', async () => {
    const markdown = await readFile(join(root, path), 'utf8');
    const near = [join(root, dirname(path)), join(root, 'src'), root];
    const named = [...markdown.matchAll(/`([\w./-]+\.(?:tsx?|css|mjs))`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !near.some((folder) => existsSync(join(folder, file))))).toEqual([]);
  });
});

/** The anchors of the headings of a text. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
}
