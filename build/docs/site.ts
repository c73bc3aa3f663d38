/**
 * The documentation as static pages, in dist/docs/site. Run: `npm run docs`. VitePress is fetched for it, at this version, and is no
 * dependency: it is a hundred megabytes that nobody needs who works on Parley. A link that leads nowhere fails.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publication } from '../../src/vscode/manifest/publication.ts';
import { root } from '../paths.ts';
import { brokenLinks } from './links.ts';
import { indexed, readPage, readSections, sitePage, withCode, withoutTemplates } from './pages.ts';
import { vitepressConfig } from './vitepress.ts';

const VITEPRESS = 'vitepress@1.6.4';
const out = join(root, 'dist', 'docs');
const staged = join(out, 'pages');
const site = join(out, 'site');

rmSync(staged, { recursive: true, force: true });
const sections = readSections(root);
const others = ['README.md', 'docs/api/README.md', 'CHANGELOG.md'].map((path) => readPage(root, path));
const pages = [...others, ...sections.flatMap((section) => section.pages)];
const paths = new Set(pages.map(({ path }) => path));
for (const page of pages) {
  const shown = sitePage(withCode(root, page), paths, publication.repository);
  // The API reference is made for such a site, with anchors of its own.
  write(
    join(staged, indexed(page.path)),
    page.path.startsWith('docs/api/') ? shown : withoutTemplates(shown),
  );
}
cpSync(join(root, 'docs', 'images'), join(staged, 'docs', 'images'), { recursive: true });
for (const picture of globSync('examples/packs/*/{picture.png,recording.gif}', { cwd: root }))
  copyFileSync(join(root, picture), join(staged, picture));
write(join(staged, '.vitepress', 'config.ts'), vitepressConfig(sections));
mkdirSync(join(staged, 'public'));
copyFileSync(join(root, 'media', 'icon.png'), join(staged, 'public', 'icon.png'));
copyFileSync(join(root, 'llms.txt'), join(staged, 'public', 'llms.txt'));

const run = ['exec', '--yes', `--package=${VITEPRESS}`, '--', 'vitepress', 'build', '.'];
const { status } = spawnSync('npm', run, {
  cwd: staged,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
// What llms.txt leads to.
for (const { path } of pages) copyFileSync(join(root, path), join(site, path));

const broken = brokenLinks(site);
for (const link of broken) console.error(`leads nowhere: ${link}`);
if (broken.length > 0) process.exit(1);
console.log(`${pages.length} pages, llms.txt and a search: ${join(site, 'index.html')}`);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
