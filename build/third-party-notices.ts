import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** What a build takes from others. */
export interface Shipped {
  /** Where `node_modules` is. */
  readonly root: string;
  readonly metafiles: readonly Metafile[];
  /** Packages that ship as they are, beside the bundles. */
  readonly copied: readonly string[];
}

/** Our own copies of licences that a package's repository has and its release has not, whole or in part. */
const COPIES = join(import.meta.dirname, 'licenses');

const HEADER = `Parley contains the following packages by others. Each is under its own license, which follows its name.
`;

/**
 * The licenses of everything by others that ships: of what was bundled, of what those packages have bundled themselves,
 * and of what is copied whole.
 *
 * @throws Error when a package has no license text: nobody may pass it on without one
 */
export async function thirdPartyNotices({ root, metafiles, copied }: Shipped): Promise<string> {
  const inputs = [...new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)))];
  const folders = new Set(copied.map((name) => `node_modules/${name}`));
  for (const input of inputs) {
    const folder = packageOf(input);
    if (folder === undefined) continue;
    folders.add(folder);
    for (const name of await vendoredIn(join(root, input))) {
      const own = `${folder}/node_modules/${name}`;
      folders.add(existsSync(join(root, own)) ? own : `node_modules/${name}`);
    }
  }
  const notices = await Promise.all([...folders].sort().map((folder) => noticeOf(root, folder)));
  return [HEADER, ...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to. */
function packageOf(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

/** The packages that a bundler has put into this file before it was released: it leaves their paths in comments. */
async function vendoredIn(file: string): Promise<string[]> {
  if (!/\.[cm]?js$/.test(file)) return [];
  const paths = (await readFile(file, 'utf8')).matchAll(/^\/\/ ?(?:#region )?\S*node_modules\/(\S+)/gm);
  return [...paths].flatMap(([, path = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
}

async function noticeOf(root: string, folder: string): Promise<string> {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { version = '', license = '' } = await manifestOf(join(root, folder));
  const text = await licenseOf(root, folder, name);
  return `${[name, version].join(' ').trim()}${license === '' ? '' : ` (${license})`}\n\n${text.trim()}\n`;
}

/**
 * The license text of an installed package.
 *
 * @throws Error when there is none
 */
export async function licenseOf(root: string, folder: string, name: string): Promise<string> {
  const copy = `${name.replace('/', '__')}.txt`;
  const texts = [
    await licenseFiles(join(root, folder)),
    await readFile(join(COPIES, copy), 'utf8').catch(() => undefined),
  ].filter((text) => text !== undefined);
  if (texts.length > 0) return texts.join('\n\n');
  throw new Error(
    `${name} ships with Parley, and ${folder} has no license text. ` +
      `Put the license from its repository into build/licenses/${copy}.`,
  );
}

/** License and notice files of a package, in one text. */
async function licenseFiles(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const wanted = names.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  if (wanted.length === 0) return undefined;
  const texts = await Promise.all(wanted.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => text.trim()).join('\n\n');
}

async function manifestOf(folder: string): Promise<{ version?: string; license?: string }> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}
