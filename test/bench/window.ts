import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import {
  bridgeExtension,
  launchBrowser,
  newest,
  openWorkbench,
  runCommand,
  startVsCodeServer,
  type Workbench,
} from '#harness';

const root = join(import.meta.dirname, '..', '..');

/** What a bench opens windows of: one VS Code with Parley and a workspace. */
export interface Windows {
  readonly workspace: string;
  open(): Promise<Workbench>;
}

/** Runs a bench in a VS Code of its own, with these of `extensions/` beside Parley, and this text as the workspace's one tool file. */
export async function inVsCode<T>(
  { beside = [], tool }: { readonly beside?: readonly string[]; readonly tool?: string },
  bench: (windows: Windows) => Promise<T>,
): Promise<T> {
  const workspace = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  if (tool !== undefined) {
    await mkdir(join(workspace, '.parley', 'tools'), { recursive: true });
    await writeFile(join(workspace, '.parley', 'tools', 'tool.ts'), tool);
  }
  const own = beside.map((name) => join(import.meta.dirname, 'extensions', name));
  const server = await startVsCodeServer({ version: newest, extensions: [root, ...own, bridgeExtension] });
  const browser = await launchBrowser();
  try {
    return await bench({ workspace, open: () => openWorkbench(browser, server.address, { workspace }) });
  } finally {
    await browser.close();
    await server.stop();
    await rm(workspace, { recursive: true, force: true });
  }
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

/** Waits until a webview shows something, and gives that webview. */
export async function visible(page: Page, selector: string, hasText?: string): Promise<Frame> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      if (!frame.url().includes('/webview/browser/pre/fake.html')) continue;
      const found = await frame
        .locator(selector, hasText === undefined ? {} : { hasText })
        .first()
        .isVisible()
        .catch(() => false);
      if (found) return frame;
    }
    await delay(4);
  }
  throw new Error(`nothing shows ${selector} ${hasText ?? ''}`);
}
