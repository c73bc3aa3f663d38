import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Links of a built site that lead nowhere: to a file that is not there, or to a heading that its page does not have. */
export function brokenLinks(site: string): readonly string[] {
  const files = new Map<string, ReadonlySet<string>>();
  const links: { from: string; to: string }[] = [];
  for (const found of globSync('**/*', { cwd: site, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const path = join(found.parentPath, found.name);
    const name = path.slice(site.length + 1).replaceAll('\\', '/');
    const html = name.endsWith('.html') ? readFileSync(path, 'utf8') : '';
    files.set(name, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)));
    for (const [, to = ''] of html.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      if (!/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(to)) links.push({ from: name, to: decodeURIComponent(to) });
    }
  }
  const leads = ({ from, to }: (typeof links)[number]) => {
    const [path = '', id = ''] = to.replace(/\?[^#]*/, '').split('#');
    const file = path === '' ? from : posix.join(path.startsWith('/') ? '' : posix.dirname(from), path);
    const name = posix.normalize(file.replace(/^\/|\/$/g, '') || '.');
    const ids = files.get(name) ?? files.get(name === '.' ? 'index.html' : `${name}/index.html`);
    return ids !== undefined && (id === '' || ids.has(id));
  };
  return [...new Set(links.filter((link) => !leads(link)).map(({ from, to }) => `${from}: ${to}`))].sort();
}
