import type { Operation, Stream } from 'effection';
import * as vscode from 'vscode';
import { streamOf, useDisposable } from '../bridge.ts';
import type { ToolPort } from './tool-port.ts';

/** Paths of files of the folder that come, change and go, whoever does it: as far as the system's watcher tells. */
export function* useDiskChanges(folder: vscode.WorkspaceFolder): Operation<Stream<string, never>> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const watcher = yield* useDisposable(() => vscode.workspace.createFileSystemWatcher(pattern));
  return streamOf(pathsOf([watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]));
}

/**
 * Paths of files of the folder that the person saves, makes, deletes or renames in this window, or has Parley make. Certain, where a watcher is
 * not: it may not hold a folder that was made with all that is in it, and on a network mount it may hear nothing.
 */
export function savesIn(folder: vscode.WorkspaceFolder, port: ToolPort): Stream<string, never> {
  const { onDidSaveTextDocument, onDidCreateFiles, onDidDeleteFiles, onDidRenameFiles } = vscode.workspace;
  const uris: vscode.Event<vscode.Uri> = (listener) => {
    const tell = (uri: vscode.Uri) => {
      if (vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString()) listener(uri);
    };
    return vscode.Disposable.from(
      { dispose: port.onWrote((path) => tell(vscode.Uri.file(path))) },
      onDidSaveTextDocument(({ uri }) => tell(uri)),
      onDidCreateFiles(({ files }) => files.forEach(tell)),
      onDidDeleteFiles(({ files }) => files.forEach(tell)),
      onDidRenameFiles(({ files }) => files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]).forEach(tell)),
    );
  };
  return streamOf(pathsOf([uris]));
}

/** The paths of several events as one. */
function pathsOf(events: ReadonlyArray<vscode.Event<vscode.Uri>>): vscode.Event<string> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event((uri) => listener(uri.fsPath))));
}
