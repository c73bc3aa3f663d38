import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, nextOf } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import type { WindowServers } from '../keep-servers.ts';
import type { ServerBook } from '../server-book.ts';

/**
 * Keeps the MCP servers of this window once the workspace is trusted and its own tools are there: nothing of this adds to the start
 * of the editor, and what speaks to servers is loaded here and not before.
 */
export function* keepTrustedServers(book: ServerBook<WindowServers>, tools: ToolPort): Operation<void> {
  if (!vscode.workspace.isTrusted) yield* nextOf(vscode.workspace.onDidGrantWorkspaceTrust);
  yield* tools.loaded();
  const { keepServers } = yield* fromThenable(import('../keep-servers.ts'));
  yield* keepServers(book, tools);
}
