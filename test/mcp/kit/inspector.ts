import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { launchBrowser } from '#harness';
import { tempFolder } from '#test/temp-folder.ts';
import { cli, root } from './parley-serve.ts';

/** The MCP Inspector of the lockfile, in a real browser, connected to `parley serve` over stdio. */
export interface Inspector {
  readonly page: Page;
  /** The document within its sandbox that is the page of a call. */
  readonly app: FrameLocator;
  /** Calls a tool on the Inspector's *Apps* or *Tools* tab. */
  call(tab: 'Apps' | 'Tools', title: string, input: object): Promise<void>;
  close(): Promise<void>;
}

const program = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** @param era which of its two generations of the protocol it speaks */
export async function openInspector(era: 'legacy' | 'modern', serve: readonly string[]): Promise<Inspector> {
  const home = tempFolder();
  const [port, sandbox] = [await freePort(), await freePort()];
  const command = [process.execPath, cli, 'serve', '--stdio', ...serve];
  const child = spawn(process.execPath, [program, '--web', '--protocol-era', era, '--', ...command], {
    env: {
      ...process.env,
      HOME: home,
      MCP_STORAGE_DIR: home,
      MCP_INSPECTOR_SECRET_STORE: 'memory',
      MCP_AUTO_OPEN_ENABLED: 'false',
      DANGEROUSLY_OMIT_AUTH: 'true',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandbox),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('running at')) break;
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`the Inspector ended: ${said}`);

  const browser: Browser = await launchBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    child.kill();
    await exited;
  };
  try {
    return { ...(await connect(await browser.newPage({ viewport: LOOKED_AT }), port)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const LOOKED_AT = { width: 1400, height: 1000 };

async function connect(page: Page, port: number): Promise<Omit<Inspector, 'close'>> {
  page.setDefaultTimeout(100_000);
  // Its page waits for an icon from the web.
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'domcontentloaded' });
  await page.getByRole('switch', { name: /^Connect or disconnect/ }).press('Space');
  await page.getByText('Connected', { exact: true }).waitFor();
  const main = page.getByRole('main');
  return {
    page,
    app: page.frameLocator('main iframe').frameLocator('iframe'),
    async call(tab, title, input) {
      await page.getByRole('radio', { name: tab, exact: true }).press('Space');
      await main.getByRole('button', { name: title }).first().press('Enter');
      const run = main.getByRole('button', { name: tab === 'Apps' ? 'Open App' : 'Execute Tool' });
      if (Object.keys(input).length > 0) {
        await main.getByRole('switch', { name: 'Edit as JSON' }).press('Space');
        await main.getByRole('textbox', { name: /JSON/ }).focus();
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.insertText(JSON.stringify(input));
      } else if (tab === 'Apps') return; // What needs no input is opened at once.
      await run.press('Enter');
    },
  };
}

/** A port that nobody has right now: the Inspector takes none that the system chooses. */
async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}
