import type { Import } from './imports.ts';
import layers from './layers.json' with { type: 'json' };

type Folder = keyof typeof layers.folders;

/** The folders with rules, in the order of the architecture page. */
export const folders = Object.keys(layers.folders) as readonly Folder[];

/** `core` for `src/core/x.ts`, `webview` for `webview/x.tsx`, nothing for a package. */
function folderOf(path: string): string | undefined {
  return /^(?:src\/([\w-]+)|(webview))\//.exec(path)?.slice(1).find(Boolean);
}

/** Whether files of one folder may import files of another. */
export function mayImport(from: string, to: string): boolean {
  const imports: readonly string[] = layers.folders[from as Folder]?.imports ?? [];
  return from === to || imports.includes(to);
}

interface Door {
  readonly folder: string;
  /** Files of it that others may import beside its `index.ts`: what activation needs without the weight behind it. */
  readonly beside?: readonly string[];
}

/** The folders of `src` that others enter through their `index.ts` alone. */
export const doors: readonly Door[] = layers.doors;

/** Why a file may not import another, or a package; nothing when it may. */
export function refusalOf({ from, to }: Import): string | undefined {
  const folder = folderOf(from);
  if (folder === undefined) return undefined;
  const target = folderOf(to);
  if (target === undefined) return packageRefusal(from, folder, to);
  if (!mayImport(folder, target)) return layers.folders[folder as Folder].says;
  const closed = doors.find((door) => isPast(door, from, to));
  if (closed) return `src/${closed.folder} is entered through its index.ts.`;
  return layers.rooms.find((rooms) => target === rooms.folder && depthIn(rooms, from) > depthIn(rooms, to))
    ?.says;
}

/** How far behind a file is in a folder of rooms: what lists all is in front of them, what all share is behind. */
function depthIn({ folder, lists, order }: (typeof layers.rooms)[number], path: string): number {
  const [room = ''] = path.slice(`src/${folder}/`.length).split('/');
  const at = order.indexOf(room);
  return lists.includes(room) ? -1 : at < 0 ? order.length : at;
}

function isPast({ folder, beside = [] }: Door, from: string, to: string): boolean {
  const inside = `src/${folder}/`;
  if (from.startsWith(inside) || !to.startsWith(inside)) return false;
  return !['index.ts', ...beside].includes(to.slice(inside.length));
}

function packageRefusal(from: string, folder: string, name: string): string | undefined {
  const isView = from.endsWith('.view.tsx');
  return layers.packages.find(
    ({ names, folders }) =>
      names.some((one) => matches(one, name)) &&
      !folders.some((one) => one === folder || from.startsWith(`src/${one}/`)) &&
      // Views draw with it, wherever they are.
      !(isView && names.includes('react')),
  )?.says;
}

function matches(pattern: string, specifier: string): boolean {
  return pattern.endsWith('*') ? specifier.startsWith(pattern.replace(/\*+$/, '')) : specifier === pattern;
}

/** The table of the architecture page. */
export function markdownTable(): string {
  const rows = folders.map((folder) => {
    const { holds, imports } = layers.folders[folder];
    const packages = layers.packages
      .filter((fence) => fence.folders.length <= 2 && fence.folders.includes(folder))
      .map(({ names }) => names[0]?.replace('/**', ''));
    const all = folders.every((other) => other === 'webview' || mayImport(folder, other));
    const names = [...(all ? ['all of `src/`'] : imports), ...packages];
    return [`\`${folder}/\``, holds, names.join(', ') || 'no other folder'];
  });
  const lines = [['folder', 'holds', 'may import'], ['', '', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells, line) =>
      cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, line === 1 ? '-' : ' ')),
    )
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

const TABLE = /(?<=<!-- layers\.json -->\n\n)(?:\|.*\n)+/;

/** A page with its table as it should be. @throws Error when it has none */
export function withTable(page: string): string {
  if (!TABLE.test(page)) throw new Error('There is no table behind <!-- layers.json --> on the page.');
  return page.replace(TABLE, markdownTable());
}
