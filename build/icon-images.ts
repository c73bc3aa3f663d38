import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './paths.ts';

/** Icons that tools like to have, beside those that the page itself names. */
const COMMON =
  'account add alert archive arrow-down arrow-left arrow-right arrow-up beaker bell book bookmark bug calendar cloud ' +
  'credit-card dashboard database diff file flag folder gear gift git-commit globe graph heart home info key law lightbulb ' +
  'link list-unordered location lock mail map megaphone mention milestone note organization package person pin question ' +
  'robot rocket search send server shield star sync table tag target telescope terminal thumbsup tools trash wand warning ' +
  'watch zap debug-stop check chevron-down chevron-right chevron-up copy eye eye-closed file-media history person-add';

/** The arrows of what unfolds, which the styles of the panel write in the font. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'chevron-right': ['html :not(.folded)>summary::before', 'html .folded>summary::after'],
  'chevron-down': ['html [open]:not(.folded)>summary::before', 'html .folded[open]>summary::after'],
};

const icons = join(root, 'node_modules', '@vscode', 'codicons', 'src', 'icons');

/**
 * The esbuild plugin for a page that may load no font: `parley:icons.css` draws codicons as masks made of their SVG images, those
 * that the page's sources name and some more.
 */
export function iconImages(): Plugin {
  return {
    name: 'parley-icon-images',
    setup(build) {
      build.onResolve({ filter: /^parley:icons\.css$/ }, ({ path }) => ({ path, namespace: 'parley-icons' }));
      build.onLoad({ filter: /.*/, namespace: 'parley-icons' }, async () => ({
        contents: await iconStyles(),
        loader: 'css',
      }));
    },
  };
}

async function iconStyles(): Promise<string> {
  const images = new Map<string, string>();
  for await (const file of glob('*.svg', { cwd: icons })) images.set(file.replace(/\.svg$/, ''), file);
  const named = new Set(COMMON.split(' '));
  for await (const file of glob(['webview/**/*.tsx', 'src/tools/**/*.view.tsx'], { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, quoted] of text.matchAll(/'([a-z0-9-]+)'/g))
      if (quoted && images.has(quoted)) named.add(quoted);
    for (const [, quoted] of text.matchAll(/"(?:codicon codicon-)?([a-z0-9-]+)[ "]/g))
      if (quoted && images.has(quoted)) named.add(quoted);
  }
  const rules = await Promise.all(
    [...named].sort().map(async (name) => {
      const file = images.get(name);
      if (!file) return '';
      const svg = small(await readFile(join(icons, file), 'utf8'));
      return `${[`.codicon-${name}`, ...(ARROWS[name] ?? [])]}{--icon:url("data:image/svg+xml,${inUrl(svg)}")}`;
    }),
  );
  const arrows = Object.values(ARROWS).flat();
  const drawn = ['.codicon', ...arrows];
  return [
    `${drawn}{display:inline-block;width:16px;height:16px;background:currentColor;mask:var(--icon) center/contain no-repeat}`,
    `${arrows}{content:""}`,
    '.codicon-modifier-spin{animation:codicon-spin 1.5s steps(30) infinite}',
    '@keyframes codicon-spin{to{transform:rotate(360deg)}}',
    `@media (forced-colors: active){${drawn}{background:CanvasText}}`,
    ...rules,
  ].join('\n');
}

/** Nobody sees the thousandth of a sixteenth of an icon, nor the color of a mask; each page carries them all. */
function small(svg: string): string {
  return svg
    .replace(/-?\d*\.\d+/g, (number) => ` ${Number(Number(number).toFixed(2))}`)
    .replace(/ (width|height|fill)="[^"]*"/g, '')
    .replace(/\s+/g, ' ');
}

/** What a quoted address of data has to write otherwise, and no more. */
function inUrl(svg: string): string {
  return svg.replace(/"/g, "'").replace(/[%#<>]/g, encodeURIComponent);
}
