import layers from '../layers.json' with { type: 'json' };

type Folder = keyof typeof layers.folders;

/** The folders with rules, in the order of the architecture page. */
export const folders = Object.keys(layers.folders) as readonly Folder[];

/** Where a folder is. */
export function placeOf(folder: string): string {
  return folder === 'webview' ? 'webview' : `src/${folder}`;
}

/** Whether files of one folder may import files of another. */
export function mayImport(from: string, to: string): boolean {
  const imports: readonly string[] = layers.folders[from as Folder]?.imports ?? [];
  return from === to || imports.includes(to);
}

/** Whether files of a folder may import a package: by its name, or by a path in it. */
export function mayUse(folder: string, specifier: string): boolean {
  return layers.packages
    .filter(({ names }) => names.some((name) => matches(name, specifier)))
    .every((fence) => fence.folders.includes(folder));
}

interface Door {
  readonly folder: string;
  /** Files of it that others may import beside its `index.ts`: what activation needs without the weight behind it. */
  readonly beside?: readonly string[];
}

/** The folders of `src` that others enter through their `index.ts` alone. */
export const doors: readonly Door[] = layers.doors;

function matches(pattern: string, specifier: string): boolean {
  return pattern.endsWith('*') ? specifier.startsWith(pattern.replace(/\*+$/, '')) : specifier === pattern;
}

/** The part of Biome's configuration that refuses imports; `biome.json` extends it. One folder a line. */
export function biomeFile(): string {
  const overrides = folders.map((folder) => ({
    includes: [`${placeOf(folder)}/**`],
    linter: fenceOf(folder),
  }));
  const atTheTop = { includes: ['src/vscode/*.ts'], linter: fenceOf('vscode', [], 'top') };
  const views = (['tools', 'code'] as const).map((folder) => ({
    includes: [`src/${folder}/**/*.view.tsx`],
    linter: fenceOf(folder, ['react']),
  }));
  const lines = [...overrides, atTheTop, ...views].map((override) => `    ${JSON.stringify(override)}`);
  return `{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function fenceOf(folder: Folder, allowed: readonly string[] = [], depth?: 'top'): object {
  const refused = folders.filter((other) => !mayImport(folder, other)).map((other) => `**/${other}/**`);
  const patterns = [
    { group: [...refused, '!./**'], message: layers.folders[folder].says },
    ...doors.flatMap((door) => doorFence(folder, door, depth)),
    ...layers.packages
      .filter(
        (fence) => !fence.folders.includes(folder) && !fence.names.some((name) => allowed.includes(name)),
      )
      .map(({ names, says }) => ({ group: names, message: says })),
  ];
  const options = { paths: { zod: ZOD }, patterns };
  return { rules: { style: { noRestrictedImports: { level: 'error', options } } } };
}

/** What a folder may not import past a door; nothing when it is behind that door itself. */
function doorFence(from: Folder, { folder, beside = [] }: Door, depth?: 'top'): object[] {
  const [layer, inner] = folder.split('/');
  if (layer === from && inner === undefined) return [];
  const path = layer === from ? inner : folder;
  // src/vscode has a folder `mcp` of its own: how far up an import goes tells the two apart.
  const clash = from === 'vscode' && folder === 'mcp';
  const ups = clash ? (depth === 'top' ? ['..'] : ['../..', '../../..']) : ['**'];
  const group = ups.flatMap((up) => [
    `${up}/${path}/**`,
    ...['index.ts', ...beside].map((file) => `!${up}/${path}/${file}`),
  ]);
  return [{ group, message: `src/${folder} is entered through its index.ts.` }];
}

const ZOD = {
  importNames: ['z'],
  message: "Write import * as z from 'zod': { z } keeps all of zod in the bundle (459 KB instead of 89 KB).",
};

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
