import { readFile } from 'node:fs/promises';
import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AppPages } from '../../mcp/index.ts';
import { inlineViews } from '../../workspace/build/inline-views.ts';
import { useEsbuild } from '../../workspace/bundler/esbuild-service.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import type { ViewBundle } from '../../workspace/registry/view-bundle.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useHome } from '../contexts.ts';
import { appHtml } from './app-html.ts';
import { questionPlace } from './dynamic-tools.ts';

/** Pages of this window's calls for its own chat: the run panel's page once more, as one document a tool. */
export function* useChatPages(
  registry: Pick<ToolRegistry, 'viewsOf'>,
  desk: Pick<CallDesk, 'panelOf'>,
): Operation<AppPages> {
  const { extensionUri } = yield* useHome();
  const read = (name: string) =>
    readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name).fsPath, 'utf8');
  const service = yield* useEsbuild({ dir: vscode.Uri.joinPath(extensionUri, 'dist', 'esbuild').fsPath });
  let latest: { readonly hash: string; readonly script: string; readonly style: string } | undefined;
  function* inlined(bundle: ViewBundle) {
    if (latest?.hash === bundle.hash) return latest;
    const script = yield* inlineViews(service, bundle);
    // Pages are seldom drawn with views that nobody has seen: the bundler need not stay for that.
    yield* service.restart();
    const style = bundle.style === undefined ? '' : yield* until(readFile(bundle.style, 'utf8'));
    latest = { hash: bundle.hash, script, style };
    return latest;
  }
  let page: Promise<readonly [string, string]> | undefined;
  return {
    offers: () => questionPlace() !== 'panel',
    *document(served, ticket) {
      page ??= Promise.all([read('mcp-app.js'), read('mcp-app.css')]);
      const [script, style] = yield* until(page);
      const views = registry.viewsOf(toolOf(served).name);
      return appHtml({
        script,
        style,
        ticket,
        language: vscode.env.language,
        ...defined({ texts: vscode.l10n.bundle, views: views && (yield* inlined(views)) }),
      });
    },
    open: (session, end) =>
      questionPlace() === 'panel' ? undefined : desk.panelOf(session)?.guests.join(end),
  };
}
