// npm run test:host: the host suite in the newest and in the oldest VS Code. `-- 1.139.1` runs one version only.
import { newest, oldest } from '../versions.ts';
import { buildHostSuite } from './build-suite.ts';
import { runHostSuite } from './run-in-server.ts';

const only = process.argv[2];
const versions = [newest, oldest].filter((version) => only === undefined || version.vscode === only);
if (versions.length === 0) throw new Error(`There is ${newest.vscode} and ${oldest.vscode}, but no ${only}.`);

const suite = await buildHostSuite();
let failed = false;
for (const version of versions) {
  console.log(`host tests in VS Code ${version.vscode}`);
  const totals = await runHostSuite(version, suite);
  console.log(`  ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
  failed ||= totals.failed > 0;
}
process.exit(failed ? 1 : 0);
