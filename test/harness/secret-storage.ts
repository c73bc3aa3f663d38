import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const mintKey = String.raw`(window.location.pathname+"/mint-key").replace(/\/\/+/g,"/")`;
const provider = /secretStorageProvider:[\w$]+\.remoteAuthority&&![\w$]+\?void 0:new /;

/**
 * Lets extensions keep secrets across a reload. The page wants half of an encryption key from code-server's own
 * front server, which is not used here; so it keeps secrets as they are, in the storage of that one browser.
 * @throws Error when the page's bundle no longer looks as expected
 */
export async function keepSecretsInBrowser(vscodeRoot: string): Promise<void> {
  const file = join(vscodeRoot, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js');
  const source = await readFile(file, 'utf8');
  if (!source.includes(mintKey) || !provider.test(source)) {
    throw new Error('Cannot find where this workbench decides how to keep secrets.');
  }
  await writeFile(file, source.replace(mintKey, () => '""').replace(provider, 'secretStorageProvider:new '));
}
