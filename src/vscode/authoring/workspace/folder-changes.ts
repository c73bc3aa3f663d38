import type { Operation, Stream } from 'effection';
import * as vscode from 'vscode';
import { streamOf, useDisposable } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';

/** Paths of files of the folder that come, change and go, no matter who does it: as far as the system's watcher tells. */
export function* useDiskChanges(folder: vscode.WorkspaceFolder): Operation<Stream<string, never>> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const watcher = yield* useDisposable(() => vscode.workspace.createFileSystemWatcher(pattern));
  const { onDidSaveTextDocument, onDidCreateFiles, onDidDeleteFiles } = vscode.workspace;
  // A watcher is not certain: it may not hold a folder that was made with all that is in it, and on a network mount it may hear nothing.
  const inWindow = within(folder, (tell) => [
    onDidSaveTextDocument(({ uri }) => tell(uri)),
    onDidCreateFiles(({ files }) => files.forEach(tell)),
    onDidDeleteFiles(({ files }) => files.forEach(tell)),
  ]);
  return streamOf(pathsOf([watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete, inWindow]));
}

/**
 * Paths of files of the folder that the person saves or renames in this window, or has Parley make. An agent of VS Code writes its edits in
 * this window, too: such a save is not announced to anybody, as those of a person are.
 */
export function savesIn(folder: vscode.WorkspaceFolder, port: ToolPort): Stream<string, never> {
  const { onWillSaveTextDocument, onDidSaveTextDocument, onDidRenameFiles } = vscode.workspace;
  const announced = new Set<string>();
  const acts = within(folder, (tell) => [
    { dispose: port.onWrote((path) => tell(vscode.Uri.file(path))) },
    onWillSaveTextDocument(({ document }) => void announced.add(document.uri.toString())),
    onDidSaveTextDocument(({ uri }) => {
      if (announced.delete(uri.toString())) tell(uri);
    }),
    onDidRenameFiles(({ files }) => files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]).forEach(tell)),
  ]);
  return streamOf(pathsOf([acts]));
}

/** What these listeners tell of files of a folder. */
function within(
  folder: vscode.WorkspaceFolder,
  listen: (tell: (uri: vscode.Uri) => void) => readonly { dispose(): unknown }[],
): vscode.Event<vscode.Uri> {
  return (listener) => {
    const tell = (uri: vscode.Uri) => {
      if (vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString()) listener(uri);
    };
    return vscode.Disposable.from(...listen(tell));
  };
}

/** The paths of several events as one. */
function pathsOf(events: ReadonlyArray<vscode.Event<vscode.Uri>>): vscode.Event<string> {
  return (listener) => vscode.Disposable.from(...events.map((event) => event((uri) => listener(uri.fsPath))));
}
