import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createSignal, ensure, type Operation, suspend } from 'effection';
import * as vscode from 'vscode';
import type { EsbuildService } from '../../../workspace/bundler/esbuild-service.ts';
import type { StackMaps } from '../../../workspace/load/stack-maps.ts';
import type { UseRealm } from '../../../workspace/load/tool-realm.ts';
import { fromThenable, nextOf, type Run, useListener } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useExtension, useLog, useOwnEdge } from '../../contexts.ts';
import type { SettingId } from '../../ids.ts';
import { setting } from '../../setting.ts';
import type { LoadedFolders } from '../debug/loaded-folders.ts';

/** What the tools of the workspace's folders need. */
export interface WorkspaceParts {
  readonly port: ToolPort;
  readonly stackMaps: StackMaps;
  /** Hears what is loaded. */
  readonly folders: LoadedFolders;
  /** Where bundles of views are written; the run panel may load from there. */
  readonly viewsDir: string;
  /** Where the builds of folders are kept for the next window. */
  readonly buildsDir: string;
}

/**
 * Loads the tools of all folders and keeps them up to date, as soon as the workspace is trusted: their code is run.
 * The bundler is loaded here and not before. Runs until it is halted.
 */
export function* keepWorkspaceTools(parts: WorkspaceParts): Operation<void> {
  const done = parts.port.begin();
  try {
    if (!vscode.workspace.isTrusted) {
      done();
      yield* nextOf(vscode.workspace.onDidGrantWorkspaceTrust);
    }
    const { useEsbuild } = yield* fromThenable(import('../../../workspace/bundler/esbuild-service.ts'));
    const { extensionUri } = yield* useExtension();
    const service = yield* useEsbuild({ dir: join(extensionUri.fsPath, 'dist', 'esbuild') });
    const { useIsolation } = yield* fromThenable(import('./isolation.ts'));
    const useRealm = parts.folders.watch(yield* useIsolation());
    yield* keepFolders({ ...parts, service, useRealm }, done);
  } finally {
    done();
  }
}

/** What loading folders needs beside that. */
interface FolderParts extends WorkspaceParts {
  readonly service: EsbuildService;
  readonly useRealm: UseRealm;
}

function* keepFolders(parts: FolderParts, begun: () => void): Operation<void> {
  const edge = yield* useOwnEdge();
  const kept = new Map<string, Run<unknown>>();
  const update = () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const wanted = new Set(folders.map(({ uri }) => uri.toString()));
    for (const [uri, run] of kept) {
      if (wanted.has(uri)) continue;
      kept.delete(uri);
      void run.halt();
    }
    for (const folder of folders) {
      const uri = folder.uri.toString();
      // Tools are read from disk: in a virtual workspace there are none.
      if (kept.has(uri) || folder.uri.scheme !== 'file') continue;
      // Begun here: what waits until nothing is on its way would otherwise go on before the folder has begun.
      const done = parts.port.begin();
      const run = edge.fork(`loading the tools of ${folder.name}`, () => keepFolder(folder, parts, done));
      void run.outcome.then(done);
      kept.set(uri, run);
    }
  };
  update();
  begun();
  yield* useListener(vscode.workspace.onDidChangeWorkspaceFolders, update);
  yield* suspend();
}

function* keepFolder(
  folder: vscode.WorkspaceFolder,
  parts: FolderParts,
  loaded: () => void,
): Operation<void> {
  const log = yield* useLog();
  const { port, stackMaps, viewsDir, buildsDir, service, useRealm } = parts;
  const name = createHash('sha256').update(folder.uri.toString()).digest('hex').slice(0, 16);
  const include = () => setting(includeSetting, folder);
  const { workspaceState } = yield* useExtension();
  const notAllowedKey = `parley.notAllowed.${name}`;
  const loads = createSignal<void, never>();
  const { useWorkspaceTools } = yield* fromThenable(import('../../../workspace/load/use-workspace-tools.ts'));
  const { savesIn, useDiskChanges } = yield* fromThenable(import('./folder-changes.ts'));
  const { askAboutOutsideChanges } = yield* fromThenable(import('./outside-changes.ts'));
  const { watchGitMoves } = yield* fromThenable(import('../../../workspace/files/git-moves.ts'));
  const tools = yield* useWorkspaceTools({
    folder: folder.uri.fsPath,
    label: folder.name,
    order: folder.index,
    include,
    outDir: join(viewsDir, name),
    cacheFile: join(buildsDir, `${name}.json`),
    registry: port.registry,
    service,
    stackMaps,
    useRealm,
    changes: yield* useDiskChanges(folder),
    edits: savesIn(folder, port),
    git: yield* watchGitMoves(folder.uri.fsPath),
    notAllowed: {
      get: () => workspaceState.get<readonly string[]>(notAllowedKey, []),
      set: (files) => {
        const before = workspaceState.get<readonly string[]>(notAllowedKey, []);
        if (String(before) !== String(files)) void workspaceState.update(notAllowedKey, files);
      },
    },
    onLoad: ({ tools, problems, milliseconds }) => {
      log.info(`${folder.name}: ${tools} tools, ${problems.length} problems, ${Math.round(milliseconds)} ms`);
      loaded();
      loads.send();
    },
  });
  port.folders.set(tools.id, tools);
  yield* ensure(() => void port.folders.delete(tools.id));
  // A tool's file that is opened will be saved: the bundler shall be running by then.
  const warmUp = ({ uri }: vscode.TextDocument) => {
    if (uri.path.startsWith(`${folder.uri.path}/.parley/`)) tools.warmUp();
  };
  vscode.workspace.textDocuments.forEach(warmUp);
  yield* useListener(vscode.workspace.onDidOpenTextDocument, warmUp);
  const edge = yield* useOwnEdge();
  edge.fork('asking about changes', () => askAboutOutsideChanges(folder.name, tools, loads));
  yield* useListener(vscode.workspace.onDidChangeConfiguration, (change) => {
    if (reloading.some((setting) => change.affectsConfiguration(setting, folder.uri))) {
      edge.fork(`loading the tools of ${folder.name}`, () => tools.reload());
    }
  });
  yield* suspend();
}

const includeSetting = 'parley.tools.include' satisfies SettingId;

/** Settings that say what is loaded, and where it runs. */
const reloading: readonly SettingId[] = [includeSetting, 'parley.tools.isolation'];
