import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { demoModelExtension, exampleWorkspace, repoRoot, resultsRoot } from '../paths.ts';
import { screenshot } from '../screenshot.ts';
import { crashed, forgetTotals, readTotals, type Totals, totalsFile, writeTotals } from '../totals.ts';
import type { VsCodeVersion } from '../versions.ts';
import { startVsCodeServer, type VsCodeServer } from '../vscode-server.ts';
import { workbenchUrl } from '../workbench-url.ts';

/** Milliseconds for the whole suite, start of the window included. */
const suiteTimeout = Number(process.env.PARLEY_HOST_TIMEOUT ?? 15 * 60_000);

/** Runs the bundled host suite in one version and returns (and leaves behind) its totals; never throws. */
export async function runHostSuite(version: VsCodeVersion, suite: string): Promise<Totals> {
  const name = `host-${version.vscode}`;
  await forgetTotals(name);
  try {
    await using server = await startVsCodeServer({
      version,
      testDriver: true,
      extensions: [demoModelExtension],
      // In a browser the editor saves after a second: what a test leaves unsaved would be on disk, on a busy machine.
      settings: { 'files.autoSave': 'off' },
      env: { PARLEY_HOST_TOTALS: totalsFile(name) },
    });
    const ended = await openAndWait(server, suite, name);
    const totals = await readTotals(name);
    if (ended === 0 && totals.failed === 0) return totals;
    for (const { title, message } of totals.failures) console.log(`  ${title}: ${message}`);
    console.log(
      `  ended with code ${ended}; logs: ${await server.keepLog(name)} and ${name}-page.log beside it`,
    );
    if (totals.failed > 0) return totals;
    const blamed = crashed(name, `All tests passed and yet the extension host ended with code ${ended}.`);
    await writeTotals(name, blamed);
    return blamed;
  } catch (error) {
    const totals = crashed(name, error instanceof Error ? (error.stack ?? error.message) : String(error));
    console.log(totals.failures[0]?.message);
    await writeTotals(name, totals);
    return totals;
  }
}

/** Opens the page whose extension host runs the suite; resolves with the code it ends with. */
async function openAndWait(server: VsCodeServer, suite: string, name: string): Promise<number> {
  const browser = await launchBrowser();
  const said: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const exit = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationLog', (level: string, args: unknown[]) => {
      const text = args.map(String).join(' ');
      said.push(`${level}: ${text}`);
      // The suite's own lines; the console also carries everything VS Code has to say.
      if (/^ {2}[✓✗-] /.test(text)) console.log(text);
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
    const options = { workspace: exampleWorkspace, extensionUnderTest: repoRoot, extensionTests: suite };
    await page.goto(workbenchUrl(server.address, options), { timeout: 90_000 });
    return await Promise.race([exit.promise, crash(page), server.ended.then(diedFirst), tooLong(page, name)]);
  } finally {
    await writeFile(join(resultsRoot, `${name}-page.log`), said.join('\n'));
    await browser.close();
  }
}

async function crash(page: Page): Promise<never> {
  await page.waitForEvent('crash', { timeout: 0 });
  throw new Error('The page crashed.');
}

function diedFirst(code: number): never {
  throw new Error(`The server ended with code ${code} while the suite was running.`);
}

async function tooLong(page: Page, name: string): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  setTimeout(
    () => reject(new Error(`The suite took more than ${suiteTimeout / 1000} s.`)),
    suiteTimeout,
  ).unref();
  return promise.catch(async (error: unknown) => {
    console.log(`  screenshot: ${await screenshot(page, `${name}-timeout`)}`);
    throw error;
  });
}
