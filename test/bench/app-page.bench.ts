import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '#harness';
import { appHtml } from '#src/panel/app-html.ts';
import { median } from './measure.ts';
import { type Row, ratioRow } from './report.ts';

const ROUNDS = 15;

/** The least that a page of MCP Apps can be: it shakes hands. */
const BARE = `<!doctype html><html><head></head><body><p>Here</p><script>
addEventListener('message', ({ data }) => {
  if (data.id === 1) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*');
});
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {} }, '*');
</script></body></html>`;

/** The page of a call in a conversation, ready to hear of its call, against a page with nothing in it, both in a frame of a browser. */
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
    const page = await browser.newPage();
    const took: { bare: number; app: number }[] = [];
    for (let round = -2; round < ROUNDS; round++) {
      const one = { bare: await readyIn(page, BARE), app: await readyIn(page, app) };
      if (round >= 0) took.push(one);
    }
    const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`;
    return [
      {
        what: 'a page in a conversation: with nothing in it, ready',
        figure: ms(took.map(({ bare }) => bare)),
      },
      { what: 'a page in a conversation: of a call, ready', figure: ms(took.map((one) => one.app)) },
      ratioRow(
        'a page in a conversation: of a call against one with nothing in it',
        median(took.map((one) => one.app / one.bare)),
        1.5,
      ),
    ];
  } finally {
    await browser.close();
  }
}

/** Milliseconds until a host has heard that the page is there. */
function readyIn(page: Page, html: string): Promise<number> {
  return page.evaluate(
    (document_) =>
      new Promise<number>((resolve) => {
        const frame = document.createElement('iframe');
        frame.sandbox.add('allow-scripts');
        const start = performance.now();
        const hear = ({ data, source }: MessageEvent<{ id?: number; method?: string }>) => {
          if (source !== frame.contentWindow) return;
          if (data.method === 'ui/initialize')
            frame.contentWindow?.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*');
          if (data.method !== 'ui/notifications/initialized') return;
          const took = performance.now() - start;
          removeEventListener('message', hear);
          frame.remove();
          resolve(took);
        };
        addEventListener('message', hear);
        frame.srcdoc = document_;
        document.body.append(frame);
      }),
    html,
  );
}
