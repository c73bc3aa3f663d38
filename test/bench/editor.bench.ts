import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import {
  bridgeExtension,
  launchBrowser,
  newest,
  openWorkbench,
  runCommand,
  type ServerAddress,
  startVsCodeServer,
  type Workbench,
} from '#harness';
import { median } from './measure.ts';
import { type Row, ratioRow } from './report.ts';

const root = join(import.meta.dirname, '..', '..');
const extensions = join(import.meta.dirname, 'extensions');
const WINDOWS = 3;
const PANELS = 8;

// A question at once, so that what is timed is the panel.
const QUESTION = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const question = createMcpTool('bench_question')
  .description('Asks at once')
  .parameters(z.object({}))
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('name', { message: 'Your name?' });
  });
`;

/** Activation against an empty extension, and a question's panel against a bare webview, in one VS Code. */
export async function editorRows(): Promise<readonly Row[]> {
  const workspace = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  await mkdir(join(workspace, '.parley', 'tools'), { recursive: true });
  await writeFile(join(workspace, '.parley', 'tools', 'question.ts'), QUESTION);
  await cp(join(root, 'README.md'), join(workspace, 'README.md'));
  const server = await startVsCodeServer({
    version: newest,
    extensions: [root, join(extensions, 'empty'), join(extensions, 'paragraph'), bridgeExtension],
  });
  const browser = await launchBrowser();
  try {
    const activations = await activationTimes(browser, server.address, workspace);
    const panels = await panelTimes(browser, server.address, workspace);
    return [
      {
        what: 'activation in VS Code, by its own clock',
        figure: `${median(activations.parley)} ms, an empty extension in the same windows ${median(activations.empty)} ms`,
      },
      ratioRow(
        'a question until it can be answered, against a webview with one paragraph',
        median(panels.map(({ question, paragraph }) => question / paragraph)),
        1.5,
        `${median(panels.map(({ question }) => question)).toFixed(0)} ms against ${median(panels.map(({ paragraph }) => paragraph)).toFixed(0)} ms`,
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
    await rm(workspace, { recursive: true, force: true });
  }
}

async function activationTimes(browser: Browser, server: ServerAddress, workspace: string) {
  const parley: number[] = [];
  const empty: number[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const workbench = await openWorkbench(browser, server, { workspace });
    try {
      await activated(workbench, 'parley.parley-mcp', 'parley-bench.parley-bench-empty');
      await showActivations(workbench.page);
      parley.push(await activationOf(workbench.page, 'Parley'));
      empty.push(await activationOf(workbench.page, 'parley-bench-empty'));
    } finally {
      await workbench.close();
    }
  }
  return { parley, empty };
}

/** Waits until they are active, without asking for it: then their times would be those of the whole start. */
export function activated({ bridge }: Workbench, ...extensionIds: readonly string[]): Promise<void> {
  return bridge.evaluate(async (api, ids) => {
    for (const id of ids) {
      while (!api.extensions.getExtension(id)?.isActive) await new Promise((next) => setTimeout(next, 50));
    }
  }, extensionIds);
}

/** Opens VS Code's own list of running extensions. */
export async function showActivations(page: Page): Promise<void> {
  // The list draws only what is in sight.
  await page.setViewportSize({ width: 1400, height: 6000 });
  await runCommand(page, 'Developer: Show Running Extensions');
}

/** What that list says. */
export async function activationOf(page: Page, name: string): Promise<number> {
  const row = page
    .locator('.runtime-extensions-editor .monaco-list-row')
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
  await row.first().waitFor();
  const text = (await row.first().textContent()) ?? '';
  const found = /Activation:\s*(\d+)\s*ms/i.exec(text);
  if (!found) throw new Error(`no activation time in: ${text}`);
  return Number(found[1]);
}

async function panelTimes(browser: Browser, server: ServerAddress, workspace: string) {
  const workbench = await openWorkbench(browser, server, { workspace });
  try {
    const question = () => shown(workbench, 'parley.runTool', ['bench_question', {}], 'input, textarea');
    const paragraph = () => shown(workbench, 'parleyBench.paragraph', [], '#ready');
    // The first of each loads what the later ones share.
    await paragraph();
    await question();
    const taken: { question: number; paragraph: number }[] = [];
    for (let n = 0; n < PANELS; n++) taken.push({ paragraph: await paragraph(), question: await question() });
    return taken;
  } finally {
    await workbench.close();
  }
}

/** Milliseconds from a command until a webview shows something; closes it after. */
async function shown(
  workbench: Workbench,
  command: string,
  args: unknown[],
  selector: string,
): Promise<number> {
  const start = performance.now();
  // Ends when its call does, which a closed tab does not end: not to be waited for.
  workbench.bridge.execute(command, ...args).catch(() => {});
  await visible(workbench.page, selector);
  const taken = performance.now() - start;
  await workbench.bridge.execute('workbench.action.closeAllEditors');
  return taken;
}

/** Waits until a webview shows something. */
export async function visible(page: Page, selector: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      if (!frame.url().includes('/webview/browser/pre/fake.html')) continue;
      const found = await frame
        .locator(selector)
        .first()
        .isVisible()
        .catch(() => false);
      if (found) return;
    }
    await delay(4);
  }
  throw new Error(`nothing shows ${selector}`);
}
