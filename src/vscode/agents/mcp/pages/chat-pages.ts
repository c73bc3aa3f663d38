import { readFile } from 'node:fs/promises';
import { type Operation, race, scoped, sleep, until } from 'effection';
import * as vscode from 'vscode';
import { toolOf } from '../../../../core/plugin/offer.ts';
import { defined } from '../../../../core/schema/defined.ts';
import type { AppPages, OwnPagesOptions, PageViews, Served } from '../../../../mcp/index.ts';
import { appHtml } from '../../../../panel/app-html.ts';
import { inlineViews } from '../../../../workspace/build/views/inline-views.ts';
import { useEsbuild } from '../../../../workspace/bundler/esbuild-service.ts';
import type { ToolRegistry } from '../../../../workspace/registry/registry.ts';
import type { ViewBundle } from '../../../../workspace/registry/view-bundle.ts';
import { hasEnded } from '../../../calls/call-entry.ts';
import type { CallDesk } from '../../../calls/desk.ts';
import type { FindCall } from '../../../calls/history/call-finder.ts';
import type { EarlierWindows } from '../../../calls/ongoing/earlier-windows.ts';
import type { ToolPort } from '../../../calls/run/tool-port.ts';
import { useEdge, useExtension, useLog } from '../../../contexts.ts';
import { setting } from '../../../setting.ts';
import { createPageCalls } from './page-calls.ts';

/** How long a page waits until it is known where its call of an earlier window is, milliseconds: hosts give up on requests. */
const PATIENCE = 20_000;

/** Bundles whose views are kept ready. */
const KEPT = 8;

/** A bundler of its own for each bundle, which is needed once: none is left running. */
function* inline(dir: string, bundle: ViewBundle): Operation<PageViews> {
  return {
    script: yield* scoped(function* () {
      return yield* inlineViews(yield* useEsbuild({ dir }), bundle);
    }),
    style: bundle.style === undefined ? '' : yield* until(readFile(bundle.style, 'utf8')),
  };
}

/** Pages of this window's calls for its own chat, and the views of its tools for pages that other clients show. */
export interface ChatPages extends Required<AppPages> {
  readonly views: NonNullable<OwnPagesOptions['views']>;
}

/** What the pages of a window's calls work with. */
export interface ChatPagesParts {
  readonly tools: Pick<ToolPort, 'loaded'> & { readonly registry: Pick<ToolRegistry, 'viewsOf'> };
  readonly desk: Pick<CallDesk, 'panelOf' | 'pageDrawn'>;
  readonly find: FindCall;
  readonly earlier: Pick<EarlierWindows, 'known'>;
}

/** Pages of this window's calls for its own chat: the run panel's page once more, as one document a tool. */
export function* useChatPages({ tools, desk, find, earlier }: ChatPagesParts): Operation<ChatPages> {
  const { registry, loaded } = tools;
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { extensionUri, workspaceState } = yield* useExtension();
  const pageCalls = createPageCalls(workspaceState);
  const inPanel = () => setting('parley.questions.agent') === 'panel';
  const read = (name: string) =>
    readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name).fsPath, 'utf8');
  const esbuild = vscode.Uri.joinPath(extensionUri, 'dist', 'esbuild').fsPath;
  const inlined = new Map<string, Promise<PageViews>>();
  // The chat gives a page a few seconds: its views are ready before the first one is drawn.
  const warm = (bundle: ViewBundle | undefined): Promise<PageViews> | undefined => {
    if (!bundle) return undefined;
    const known = inlined.get(bundle.hash);
    if (known) return known;
    const made = edge.promise(() => inline(esbuild, bundle));
    inlined.set(bundle.hash, made);
    made.catch((error: unknown) => {
      inlined.delete(bundle.hash);
      log.warn('Views cannot be put into a page for the chat; their questions have forms there', error);
    });
    const [oldest = ''] = inlined.keys();
    if (inlined.size > KEPT) inlined.delete(oldest);
    return made;
  };
  const views = async (tool: string) => await warm(registry.viewsOf(tool))?.catch(() => undefined);
  function* document(ticket: string, own?: PageViews): Operation<string> {
    const [boot, script, style] = yield* until(
      Promise.all([read('mcp-app-boot.js'), read('mcp-app.js'), read('mcp-app.css')]),
    );
    const { language } = vscode.env;
    const more = defined({ texts: vscode.l10n.bundle, views: own });
    return appHtml({ boot, script, style, ticket, editor: true, language, ...more });
  }
  return {
    views,
    loaded,
    offers(served: Served) {
      const offered = !inPanel();
      if (offered) warm(registry.viewsOf(toolOf(served).name));
      return offered;
    },
    *document(served, ticket) {
      desk.pageDrawn(toolOf(served).name);
      return yield* document(ticket, yield* until(views(toolOf(served).name)));
    },
    oldDocument: (ticket) => document(ticket),
    open(session, end, hostCall) {
      if (inPanel()) return undefined;
      if (hostCall !== undefined) pageCalls.add(hostCall, session.id);
      return desk.panelOf(session)?.guests.join(end);
    },
    *openEarlier(tool, hostCall, end) {
      const callId = pageCalls.get(hostCall);
      if (callId === undefined) return undefined;
      yield* race([earlier.known(callId), sleep(PATIENCE)]);
      const entry = yield* find(callId);
      // The panel of a call that still waits is where it is asked now.
      if (!entry || entry.toolName !== tool || (inPanel() && !hasEnded(entry))) return undefined;
      return entry.panel.guests.join(end);
    },
  };
}
