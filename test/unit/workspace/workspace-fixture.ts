import { join } from 'node:path';
import type { Operation, Stream } from 'effection';
import * as esbuild from 'esbuild';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { EsbuildService } from '#src/workspace/bundler/esbuild-service.ts';
import type { GitMoves } from '#src/workspace/files/git-moves.ts';
import type { LoadedVersion } from '#src/workspace/load/folder-loader.ts';
import type { LoadOrder, NotAllowed, OutsideChange } from '#src/workspace/load/held-files.ts';
import { createStackMaps, type StackMaps } from '#src/workspace/load/stack-maps.ts';
import type { UseRealm } from '#src/workspace/load/tool-realm.ts';
import { type LoadReport, useWorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { createToolRegistry, type ToolRegistry } from '#src/workspace/registry/registry.ts';
import { type Folder, useFolder } from './folder-fixture.ts';

export const ESBUILD_DIR = join(import.meta.dirname, '../../../node_modules/esbuild-wasm');

/**
 * The bundler for tests that are not about it: the native esbuild, which is the same program without the time it takes
 * to start. `lifetime.test.ts` and `many-files.test.ts` have the one that ships.
 */
export function sharedEsbuild(): EsbuildService {
  return { generation: 0, api: () => esbuild, *restart() {} };
}

/** A folder whose tools are loaded. */
export interface LoadedFolder {
  readonly folder: Folder;
  readonly registry: ToolRegistry;
  readonly stackMaps: StackMaps;
  reload(order?: LoadOrder): Operation<LoadReport>;
  need(file: string): Operation<void>;
  catchUp(file?: string): Operation<void>;
  about(file: string): LoadedVersion | undefined;
  outside(): readonly OutsideChange[];
}

/** A folder with files, loaded once. */
export function* useLoadedFolder(
  service: EsbuildService,
  files: Readonly<Record<string, string>>,
  options: {
    changes?: Stream<string, unknown>;
    edits?: Stream<string, unknown>;
    git?: (folder: string) => Operation<GitMoves>;
    notAllowed?: NotAllowed;
    include?: () => readonly string[];
    useRealm?: UseRealm;
    onLoad?: (report: LoadReport) => void;
  } = {},
): Operation<LoadedFolder> {
  const folder = yield* useFolder(files);
  const out = yield* useFolder();
  const registry = createToolRegistry();
  const stackMaps = createStackMaps();
  const { git, ...others } = options;
  const { reload, need, catchUp, about, outside } = yield* useWorkspaceTools({
    folder: folder.path,
    id: 'test',
    outDir: out.file('views'),
    registry,
    service,
    stackMaps,
    ...others,
    ...(git && { git: yield* git(folder.path) }),
  });
  yield* reload();
  return { folder, registry, stackMaps, reload, need, catchUp, about, outside };
}

/** Runs a tool that needs nothing of its context. */
export function* runBare(tool: AnyTool | undefined): Operation<unknown> {
  const body = tool?.def.body;
  if (body?.kind !== 'execute') throw new Error('not a tool that can be run without phases');
  return yield* body.execute({}, undefined as never);
}
