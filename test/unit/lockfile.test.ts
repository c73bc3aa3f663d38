import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(import.meta.dirname, '..', '..', 'package-lock.json');
const { packages }: { packages: Record<string, Entry> } = JSON.parse(await readFile(file, 'utf8'));
const entries = Object.entries(packages);

/** Whether `name` is locked where Node would look for it from `path`. */
function isLocked(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder}${folder === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

describe('the lock file', () => {
  test('locks the binaries for every platform, so that `npm ci` works with every npm', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    );
    expect(missing).toEqual([]);
  });

  test('names no registry: packages come from the one that npm is set to', () => {
    expect(entries.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([]);
  });

  test('has a hash for every package', () => {
    const installed = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual(
      [],
    );
  });
});
