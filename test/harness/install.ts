// What host and end-to-end tests need besides npm's packages: installed by `npm test` while other stages run. `-- 1.139.1` installs one version only.
import { ensureChromium } from './chromium.ts';
import { newest, oldest } from './versions.ts';
import { installVsCode } from './vscode-install.ts';

const only = process.argv[2];

async function installVsCodes(): Promise<void> {
  for (const version of [newest, oldest]) {
    if (only === undefined || only === version.vscode) await installVsCode(version);
  }
}

const results = await Promise.allSettled([ensureChromium(), installVsCodes()]);
for (const result of results) {
  if (result.status === 'fulfilled') continue;
  console.error(result.reason);
  process.exitCode = 1;
}
