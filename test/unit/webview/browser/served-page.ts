import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Snapshot, type Stage, snapshot, type ToPage } from '#src/panel-port/index.ts';
import { pageHtml } from '#src/vscode/calls/panel/page-html.ts';
import { launchBrowser } from '#test/harness/browser.ts';
import { snapshotOf } from './stages.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The run panel's page as it ships, in the document that the host gives it, without VS Code around it. */
interface ServedPage extends AsyncDisposable {
  open(browser: Browser, width: number): Promise<OpenedPage>;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  hear(...messages: ToPage[]): Promise<void>;
  /** Names and bodies of what the page has posted, what it wants kept left out. */
  said(): Promise<{ name: string; body: unknown }[]>;
  /** What the browser complained about: errors and breaches of the content security policy. */
  readonly complaints: string[];
}

/** The page with the views of these tests, and a browser, for the tests of a file. To be called once in it. */
export function inBrowser() {
  let browser: Browser;
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage(fileURLToPath(new URL('./views.tsx', import.meta.url)));
    browser = await launchBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
  });
  return {
    browser: () => browser,
    /** A page that has heard of a stage, once what matches is drawn. */
    async show(
      stage: Stage,
      width = 800,
      more: Partial<Snapshot> = {},
      drawn = '.stage',
    ): Promise<OpenedPage> {
      const panel = await served.open(browser, width);
      await panel.hear(snapshot({ ...snapshotOf(stage), ...more }));
      await panel.page.waitForSelector(drawn);
      return panel;
    },
  };
}

/** Builds the page with the views of `viewsFile` and serves it on this machine. */
async function servePage(viewsFile: string): Promise<ServedPage> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { boot: 'webview/boot.ts', main: 'webview/main.tsx' },
    outdir: 'out',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    target: 'chrome128',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    logLevel: 'silent',
    plugins: [
      {
        name: 'views',
        setup({ onResolve }) {
          onResolve({ filter: /^parley:views$/ }, () => ({ path: viewsFile }));
        },
      },
    ],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.replace(/^.*[\\/]/, ''), contents]));
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://page').pathname.slice(1);
    const file = files.get(name);
    if (name === '') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const cspSource = `http://${request.headers.host}`;
      response.end(
        pageHtml({
          nonce: 'n',
          cspSource,
          scripts: ['/boot.js', '/main.js'],
          style: '/main.css',
          language: 'en',
        }),
      );
    } else if (file) {
      response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
      response.end(file);
    } else {
      response.statusCode = name === 'favicon.ico' ? 204 : 404;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    open: (browser, width) => openPage(browser, `http://127.0.0.1:${port}/`, width),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function openPage(browser: Browser, url: string, width: number): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width, height: 700 },
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Amsterdam',
    locale: 'en-US',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(() => {
    const posted: unknown[] = [];
    let state: unknown = JSON.parse(sessionStorage.getItem('state') ?? 'null');
    Object.assign(window, {
      posted,
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => posted.push(message),
        getState: () => state,
        setState: (next: unknown) => {
          state = next;
          sessionStorage.setItem('state', JSON.stringify(next));
        },
      }),
    });
  });
  const said = () =>
    page.evaluate<{ name: string; body: unknown }[]>('posted.filter(({ name }) => name !== "keep")');
  await page.goto(url);
  await page.waitForFunction('posted.length > 0');
  return {
    page,
    complaints,
    said,
    // As text: the types of a whole message are too deep for Playwright's own.
    hear: (...messages) =>
      page.evaluate(`for (const m of ${JSON.stringify(messages)}) window.postMessage(m, '*')`),
    [Symbol.asyncDispose]: () => context.close(),
  };
}
