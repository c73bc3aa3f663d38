import { join } from 'node:path';
import { indexed, type Section } from './pages.ts';

/** The blue of the icon, light and dark; long names of types break rather than widen a page on a telephone. */
const STYLE =
  ':root{--vp-c-brand-1:#1d4ed8;--vp-c-brand-2:#2563eb;--vp-c-brand-3:#2563eb;--vp-c-brand-soft:#2563eb24}' +
  '.dark{--vp-c-brand-1:#93b4ff;--vp-c-brand-2:#7aa2ff;--vp-c-brand-soft:#7aa2ff29}' +
  '.vp-doc :is(p,li,h1,h2,h3,h4,h5){overflow-wrap:anywhere}';

/** How VitePress shows the pages, as a module. VitePress is no dependency: it is imported nowhere. */
export function vitepressConfig(sections: readonly Section[]): string {
  const config = {
    title: 'Parley',
    description: 'MCP tools that can stop and ask.',
    lang: 'en',
    cacheDir: '../cache',
    outDir: '../site',
    head: [
      ['link', { rel: 'icon', href: '/icon.png' }],
      ['style', {}, STYLE],
    ],
    themeConfig: {
      logo: '/icon.png',
      search: { provider: 'local' },
      outline: [2, 3],
      nav: [
        { text: 'API', link: '/docs/api/' },
        { text: 'Changelog', link: '/CHANGELOG' },
      ],
      sidebar: sections.map(({ name, pages }) => ({
        text: name,
        collapsed: name === 'API',
        items: pages.map(({ path, title }) => ({ text: title, link: linkOf(path) })),
      })),
    },
  };
  const slugs = JSON.stringify(join(import.meta.dirname, 'slugs.ts'));
  return `import { slugOf } from ${slugs};
export default { ...${JSON.stringify(config)}, markdown: { anchor: { slugify: slugOf } } };
`;
}

function linkOf(path: string): string {
  return `/${indexed(path).replace(/(index)?\.md$/, '')}`;
}
