import { join } from 'node:path';
import { type Operation, spawn, until } from 'effection';
import * as vscode from 'vscode';
import { nextOf, useListener } from '../../bridge.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';

/** What authors of tools need to write them without installing anything, kept in their folders. */
export interface AuthorKits {
  /** Sees to it that the folder has the kit of this version of Parley. */
  provide(folder: vscode.WorkspaceFolder): Operation<void>;
}

/**
 * A resource: writes the kit into each trusted folder whose `.parley/tsconfig.json` relies on it, and again when Parley has
 * changed. Others who open the folder find only what is committed; so it is written for them, too.
 */
export function* useAuthorKits(): Operation<AuthorKits> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { extensionUri } = yield* useExtension();
  const dist = join(extensionUri.fsPath, 'dist');

  function* provide(folder: vscode.WorkspaceFolder): Operation<void> {
    const scaffold = yield* until(import('../../../workspace/scaffold/index.ts'));
    const home = join(folder.uri.fsPath, '.parley');
    if (!(yield* scaffold.needsKit(home))) return;
    if (yield* scaffold.hasKit(home, dist)) return;
    yield* scaffold.writeKit(home, yield* scaffold.readKit(dist));
    log.info(`${folder.name}: wrote the declarations for authors of tools to .parley/.generated`);
  }

  function provideAll(folders: readonly vscode.WorkspaceFolder[] | undefined): void {
    for (const folder of folders ?? []) {
      if (folder.uri.scheme !== 'file') continue;
      edge.fork(`the declarations for authors of tools in ${folder.name}`, () => provide(folder));
    }
  }

  yield* spawn(function* () {
    if (!vscode.workspace.isTrusted) yield* nextOf(vscode.workspace.onDidGrantWorkspaceTrust);
    provideAll(vscode.workspace.workspaceFolders);
  });
  yield* useListener(vscode.workspace.onDidChangeWorkspaceFolders, ({ added }) => {
    if (vscode.workspace.isTrusted) provideAll(added);
  });
  return { provide };
}
