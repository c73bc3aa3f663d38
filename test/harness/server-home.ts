import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uriPath } from './workbench-url.ts';

/** Everything a server writes, in one folder that belongs to it alone. */
export interface ServerHome {
  readonly root: string;
  readonly dataDir: string;
  readonly extensionsDir: string;
  readonly settingsFile: string;
  /** Where the bridge extension says how to reach it; one file for each extension host. */
  readonly bridgeDir: string;
  remove(): Promise<void>;
}

/**
 * Makes the folder, with the given extensions installed where they are: an edit to one shows after a reload.
 * It goes with this process at the latest, unless it is to be kept.
 * @param extensions folders with a package.json each
 * @param kept the folder to use, with what an earlier server has left in it; without it, a temporary one
 */
export async function createServerHome(extensions: readonly string[], kept?: string): Promise<ServerHome> {
  const root = kept ?? (await mkdtemp(join(tmpdir(), 'parley-vscode-')));
  const removeNow = (): void => {
    // What was killed a moment ago may still be writing.
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  if (kept === undefined) process.once('exit', removeNow);
  const dataDir = join(root, 'data');
  const extensionsDir = join(root, 'extensions');
  const bridgeDir = join(root, 'bridge');
  for (const folder of [dataDir, extensionsDir, bridgeDir]) await mkdir(folder, { recursive: true });
  const found = await Promise.all(extensions.map(readManifest));
  const installed = found.map(asInstalled);
  await writeFile(join(extensionsDir, 'extensions.json'), JSON.stringify(installed));
  const userDir = join(dataDir, 'data', 'User');
  await mkdir(userDir, { recursive: true });
  await writeFile(join(userDir, 'chatLanguageModels.json'), JSON.stringify(modelGroups(found)));
  return {
    root,
    dataDir,
    extensionsDir,
    settingsFile: join(dataDir, 'data', 'User', 'settings.json'),
    bridgeDir,
    remove: async () => {
      if (kept !== undefined) return;
      process.off('exit', removeNow);
      // A process of the server may still be writing its last lines.
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

interface Extension {
  readonly folder: string;
  readonly manifest: Manifest;
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly contributes?: {
    readonly languageModelChatProviders?: readonly {
      readonly vendor: string;
      readonly displayName: string;
    }[];
  };
}

async function readManifest(folder: string): Promise<Extension> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!isManifest(manifest))
    throw new Error(`${folder} is not an extension: no publisher, name and version.`);
  return { folder, manifest };
}

function isManifest(value: unknown): value is Manifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'publisher' in value &&
    'name' in value &&
    'version' in value
  );
}

function asInstalled({ folder, manifest }: Extension): object {
  return {
    identifier: { id: `${manifest.publisher}.${manifest.name}` },
    version: manifest.version,
    location: { $mid: 1, path: uriPath(folder), scheme: 'file' },
    metadata: { installedTimestamp: 0, source: 'vsix', isMachineScoped: true },
  };
}

/**
 * Tells the chat that there are models of others than Copilot. It would find out by itself, but a message sent before
 * that meets a sign-in dialog.
 */
function modelGroups(extensions: readonly Extension[]): object[] {
  const providers = extensions.flatMap(
    ({ manifest }) => manifest.contributes?.languageModelChatProviders ?? [],
  );
  return providers.map(({ vendor, displayName }) => ({ name: displayName, vendor }));
}
