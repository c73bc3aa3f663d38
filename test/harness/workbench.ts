import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Bridge, connectBridge, knownBridges } from './bridge.ts';
import type { Settings } from './user-settings.ts';
import type { ServerAddress } from './vscode-server.ts';
import { type WorkbenchOptions, workbenchUrl } from './workbench-url.ts';

/** An open VS Code window and the ways into it. */
export interface Workbench {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Runs code in this window's extension host. Another one after `reload` and `killExtensions`. */
  readonly bridge: Bridge;
  /** Changes user settings; `undefined` takes one back. The window takes them up at once, others on a reload. */
  updateSettings(change: Settings): Promise<void>;
  /** What the page has written to its console, errors marked. */
  console(): string;
  /** Reloads the window as a person would and waits for its new extension host. */
  reload(): Promise<void>;
  /**
   * Kills the extension host, and all that runs in it, and waits for its successor. The page stays, unless VS Code starts none:
   * it asks its server how the host ended, and gives up in silence when that takes 2 s. Then the window is loaded again.
   */
  killExtensions(): Promise<void>;
  /** Closes the window, does something, and opens it again with what the browser has kept. */
  reopen(meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const openTimeout = 90_000;

/** Two windows of one browser have one process for their pages, which a busy machine feels. */
const besideTimeout = 3 * openTimeout;

/** How long VS Code has to start an extension host after one that was killed. */
const successorTimeout = 40_000;

/** How often a window is loaded that comes up without its folders. */
const MOST_LOADS = 5;

/**
 * Opens a window in a browser context of its own, so with nothing remembered, and waits until extensions run. `beside` another, it
 * is a second window of one person, with what that browser remembers.
 * The server must have the bridge extension. Open windows of one server one after another, not at once.
 */
export async function openWorkbench(
  browser: Browser,
  server: ServerAddress,
  options: WorkbenchOptions & { readonly beside?: Pick<Workbench, 'context'> },
): Promise<Workbench> {
  const { beside } = options;
  const context =
    beside?.context ??
    (await browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    }));
  if (!beside) context.setDefaultTimeout(30_000);
  // Where a language pack would say so; what VS Code says itself stays English.
  if (options.language !== undefined)
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)}`);
  const page = await context.newPage();
  const close = () => (beside ? page.close() : context.close());
  const written: string[] = [];
  page.on('console', (message) => {
    written.push(`${message.type() === 'error' ? 'ERROR ' : ''}${message.text()}`);
  });
  const load = async (go: () => Promise<unknown>, timeout?: number): Promise<Bridge> => {
    const before = await knownBridges(server.bridgeDir);
    await go();
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: openTimeout });
    return connectBridge(server.bridgeDir, before, timeout);
  };
  const reload = () => load(() => page.reload({ timeout: openTimeout }));
  try {
    const url = workbenchUrl(server, options);
    let bridge = await load(
      () => page.goto(url, { timeout: openTimeout }),
      beside ? besideTimeout : openTimeout,
    );
    for (let loads = 1; !(await hasFolders(bridge, options.workspace)); loads++) {
      if (loads === MOST_LOADS) throw new Error(`${options.workspace} has no folders after ${loads} loads.`);
      bridge = await reload();
    }
    return {
      page,
      context,
      updateSettings: (change) => updateSettings(bridge, change),
      get bridge() {
        return bridge;
      },
      console: () => written.join('\n'),
      reload: async () => {
        bridge = await reload();
      },
      killExtensions: async () => {
        // Nobody is left to answer.
        const kill = () =>
          bridge.evaluate(() => process.kill(process.pid, 'SIGKILL'), undefined).catch(() => {});
        bridge = await load(kill, successorTimeout).catch(reload);
      },
      reopen: async (meanwhile) => {
        await page.goto('about:blank');
        await meanwhile();
        bridge = await load(() => page.goto(url, { timeout: openTimeout }));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Whether the window has the folders that it was opened on. On a busy machine a web window on a `.code-workspace` file may come
 * up with none, for good: VS Code then reads the file before it can reach the server. Its Explorer says "No Folder Opened".
 */
function hasFolders(bridge: Bridge, workspace: string | undefined): Promise<boolean> {
  if (!workspace?.endsWith('.code-workspace')) return Promise.resolve(true);
  return bridge.evaluate(async (api) => {
    const deadline = Date.now() + 15_000;
    while (!api.workspace.workspaceFolders?.length && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return Boolean(api.workspace.workspaceFolders?.length);
  }, undefined);
}

async function updateSettings(bridge: Bridge, change: Settings): Promise<void> {
  // A value of undefined would be lost on the way.
  const values = Object.entries(change).map(([id, value]) => ({ id, value, keep: value !== undefined }));
  await bridge.evaluate(async (api, all) => {
    for (const { id, value, keep } of all) {
      await api.workspace
        .getConfiguration()
        .update(id, keep ? value : undefined, api.ConfigurationTarget.Global);
    }
  }, values);
}
