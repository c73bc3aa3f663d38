import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type CreateMessageRequest, CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { build } from 'esbuild';
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core';
import { launchBrowser } from '#harness';
import type { GivenApp } from './bridge-page.ts';

/** How a host of these tests shows a call. */
export type Manner = Partial<Pick<GivenApp, 'theme' | 'late'>>;

/** A call that a host has made, and its page. */
export interface Shown {
  readonly app: FrameLocator;
  /** What came back. */
  readonly result: Promise<Readonly<Record<string, unknown>>>;
}

/** What a host is made of: the official `AppBridge`, or the `AppRenderer` of `@mcp-ui/client`. */
export type HostKind = 'bridge' | 'renderer';

/** A host in a real browser: its client has pages, and no form of its own. */
export interface BridgeHost {
  readonly page: Page;
  /** The document that is the page of the call. */
  document(): Frame;
  /** What pages told the conversation. */
  readonly told: { readonly method: string; readonly params: unknown }[];
  /** Calls a tool and shows its page. */
  call(name: string, input: Record<string, unknown>, manner?: Manner): Promise<Shown>;
  /** Draws the page of an earlier call anew, as for a conversation that is opened again: with its input, and its result if it has one. */
  again(name: string, input: Record<string, unknown>, result?: unknown): Promise<FrameLocator>;
  close(): Promise<void>;
}

/** @param sample what its model says */
export async function bridgeHost(
  transport: Transport,
  sample: (params: CreateMessageRequest['params']) => object,
  kind: HostKind = 'bridge',
): Promise<BridgeHost> {
  const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
  const client = new Client(
    { name: 'bridge', version: '1' },
    { capabilities: { extensions: ui, sampling: { tools: {} } } },
  );
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(params) as never);
  await client.connect(transport);
  const browser: Browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 400, height: 900 } });
  const told: BridgeHost['told'] = [];
  page.setDefaultTimeout(100_000);
  const spoke = Promise.withResolvers<void>();
  await page.exposeFunction('callTool', (params: Parameters<Client['callTool']>[0]) => {
    spoke.resolve();
    return client.callTool(params);
  });
  await page.exposeFunction('told', (method: string, params: unknown) => void told.push({ method, params }));
  await page.route('http://sandbox.test/**', (route) =>
    route.fulfill({ path: join(import.meta.dirname, 'sandbox-proxy.html') }),
  );
  await page.addScriptTag({ content: await script(PAGES[kind]) });
  const { tools } = await client.listTools();
  const uriOf = (name: string): string => {
    const ui = tools.find((tool) => tool.name === name)?._meta?.ui as { resourceUri: string } | undefined;
    if (!ui) throw new Error(`${name} has no page`);
    return ui.resourceUri;
  };
  const draw = async (uri: string, given: Omit<GivenApp, 'html'>): Promise<FrameLocator> => {
    const { contents } = await client.readResource({ uri });
    const html = String((contents[0] as { text?: string } | undefined)?.text);
    await page.evaluate((app) => window.openApp(app), { html, ...given });
    const outer = page.frameLocator('iframe');
    const app = kind === 'bridge' ? outer : outer.frameLocator('iframe');
    await app.locator('body').waitFor({ state: 'attached' });
    return app;
  };
  // A page of no call: the first one that is drawn takes longer than a server waits for it, on a machine that is busy.
  const [first] = tools.flatMap(
    ({ _meta }) => (_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri ?? [],
  );
  if (first === undefined) throw new Error('no tool has a page');
  await draw(first, { input: {}, theme: 'light', late: false });
  await spoke.promise;

  return {
    page,
    told,
    document() {
      const frame = page.frames().at(-1);
      if (!frame || page.frames().length === 1) throw new Error('there is no page');
      return frame;
    },
    async call(name, input, { theme = 'light', late = false } = {}) {
      const uri = uriOf(name);
      const result: Shown['result'] = client.callTool({ name, arguments: input }, undefined, {
        timeout: 120_000,
      });
      const app = await draw(uri, { input, theme, late });
      const ended = result.then(async (value) => {
        await page.evaluate((end) => window.endApp(end), value);
        return value;
      });
      return { app, result: ended };
    },
    async again(name, input, result) {
      const app = await draw(uriOf(name), { input, theme: 'light', late: false });
      if (result !== undefined) await page.evaluate((end) => window.endApp(end), result);
      return app;
    },
    async close() {
      await client.close();
      await browser.close();
    },
  };
}

const PAGES: Readonly<Record<HostKind, string>> = {
  bridge: 'bridge-page.ts',
  renderer: 'renderer-page.tsx',
};

async function script(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    jsx: 'automatic',
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome120',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
