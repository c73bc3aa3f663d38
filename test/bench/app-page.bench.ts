import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '#harness';
import { appHtml } from '#src/panel/app-html.ts';
import { type Row, ratioRow, spread } from './report.ts';

const ROUNDS = 15;

/** The least that a page of MCP Apps can be: it shakes hands. */
const BARE = `<!doctype html><html><head></head><body><p>Here</p><script>
addEventListener('message', ({ data }) => {
  if (data.id === 1) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*');
  if (data.method === 'ui/notifications/tool-input') parent.postMessage({ jsonrpc: '2.0', id: 2, method: 'tools/call' }, '*');
});
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {} }, '*');
</script></body></html>`;

/** The page of a call in a conversation against a page with nothing in it, both in a frame of a browser. */
export async function appPageRows(): Promise<readonly Row[]> {
  const read = (name: string) =>
    readFile(join(import.meta.dirname, '..', '..', 'dist', 'webview', name), 'utf8');
  const app = appHtml({
    boot: await read('mcp-app-boot.js'),
    script: await read('mcp-app.js'),
    style: await read('mcp-app.css'),
    ticket: 'none',
    language: 'en',
  });
  const browser = await launchBrowser();
  try {
    // In a page of its own each time: a host gives each drawing an origin of its own, so nothing is compiled already.
    const fresh = async (html: string) => {
      const page = await browser.newPage();
      const reached = await reachedIn(page, html);
      await page.context().close();
      return reached;
    };
    const took: { bare: Reached; app: Reached }[] = [];
    for (let round = -2; round < ROUNDS; round++) {
      // Each of them first in turn. What another program takes for itself hits the one or the other, so no round is a pair.
      const bareFirst = round % 2 === 0;
      const before = bareFirst ? await fresh(BARE) : await fresh(app);
      const after = bareFirst ? await fresh(app) : await fresh(BARE);
      if (round >= 0) took.push(bareFirst ? { bare: before, app: after } : { bare: after, app: before });
    }
    const row = (what: string, of: keyof Reached, target?: number) => {
      const [app, bare] = [took.map((one) => one.app[of]), took.map((one) => one.bare[of])];
      return ratioRow(`a page in a conversation ${what}, against one with nothing in it`, app, bare, {
        target,
        note: `${spread(app)} ms against ${spread(bare)} ms`,
      });
    };
    return [row('is ready', 'ready', 1.5), row('asks for its call', 'asks')];
  } finally {
    await browser.close();
  }
}

/** Milliseconds from when a host begins to draw a page. */
interface Reached {
  /** It has shaken hands: the host may tell it of its call. */
  readonly ready: number;
  /** Its own code runs: it asks the server for the call that the host told it of. */
  readonly asks: number;
}

/** Draws a page as a host does, until it has asked for its call. */
function reachedIn(page: Page, html: string): Promise<Reached> {
  return page.evaluate(
    (document_) =>
      new Promise<Reached>((resolve) => {
        const frame = document.createElement('iframe');
        frame.sandbox.add('allow-scripts');
        const start = performance.now();
        let ready = Number.NaN;
        const say = (message: object) =>
          frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
        const hear = ({ data, source }: MessageEvent<{ id?: number; method?: string }>) => {
          if (source !== frame.contentWindow) return;
          if (data.method === 'ui/initialize') say({ id: data.id, result: {} });
          if (data.method === 'ui/notifications/initialized') {
            ready = performance.now() - start;
            say({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
          }
          if (data.method !== 'tools/call') return;
          removeEventListener('message', hear);
          frame.remove();
          resolve({ ready, asks: performance.now() - start });
        };
        addEventListener('message', hear);
        frame.srcdoc = document_;
        document.body.append(frame);
      }),
    html,
  );
}
