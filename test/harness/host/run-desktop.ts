// npm run test:desktop: the same host suite in a desktop VS Code, downloaded unless VSCODE_PATH names one.
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { demoModelExtension, exampleWorkspace, repoRoot } from '../paths.ts';
import { crashed, forgetTotals, readTotals, totalsFile, writeTotals } from '../totals.ts';
import { buildHostSuite } from './build-suite.ts';
import { NOT_RUN } from './not-run.ts';

const name = 'host-desktop';
const { DISPLAY, WAYLAND_DISPLAY, VSCODE_PATH } = process.env;
await forgetTotals(name);
if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) notRun('there is no display');
const vscode =
  VSCODE_PATH ?? (await downloadAndUnzipVSCode().catch((error: unknown) => notRun(`no VS Code: ${error}`)));
try {
  await runTests({
    vscodeExecutablePath: vscode,
    extensionDevelopmentPath: [repoRoot, demoModelExtension],
    extensionTestsPath: await buildHostSuite(),
    extensionTestsEnv: { PARLEY_HOST_TOTALS: totalsFile(name) },
    launchArgs: [exampleWorkspace, '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
  });
} catch (error) {
  const totals = await readTotals(name);
  if (totals.failed === 0) await writeTotals(name, crashed(name, String(error)));
  console.error(String(error));
}
const totals = await readTotals(name);
console.log(`  ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed === 0 ? 0 : 1);

function notRun(reason: string): never {
  console.error(`Not run: ${reason}.`);
  process.exit(NOT_RUN);
}
