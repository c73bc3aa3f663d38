import { join } from 'node:path';
import { createScope, type Operation, type Stream, suspend, withResolvers } from 'effection';
import { afterAll, beforeAll } from 'vitest';
import type { AnyTool } from '../../../src/core/tool.ts';
import {
  createStackMaps,
  createToolRegistry,
  type EsbuildService,
  type LoadReport,
  type StackMaps,
  type ToolRegistry,
  useEsbuild,
  useWorkspaceTools,
} from '../../../src/workspace/index.ts';
import { type Folder, useFolder } from './folder-fixture.ts';

export const ESBUILD_DIR = join(import.meta.dirname, '../../../node_modules/esbuild-wasm');

/** One bundler process for the tests of a file: starting one takes a while. */
export function sharedEsbuild(): EsbuildService {
  const [scope, destroy] = createScope();
  let service: EsbuildService | undefined;
  beforeAll(async () => {
    const ready = withResolvers<void>();
    scope
      .run(function* () {
        service = yield* useEsbuild({ dir: ESBUILD_DIR });
        ready.resolve();
        yield* suspend();
      })
      .catch((error) => ready.reject(error));
    await scope.run(() => ready.operation);
  });
  afterAll(() => destroy());
  const current = () => {
    if (!service) throw new Error('the bundler is there from beforeAll on');
    return service;
  };
  return {
    get generation() {
      return current().generation;
    },
    api: () => current().api(),
    restart: () => current().restart(),
  };
}

/** A folder whose tools are loaded. */
export interface LoadedFolder {
  readonly folder: Folder;
  readonly registry: ToolRegistry;
  readonly stackMaps: StackMaps;
  reload(): Operation<LoadReport>;
}

/** A folder with files, loaded once. */
export function* useLoadedFolder(
  service: EsbuildService,
  files: Readonly<Record<string, string>>,
  options: {
    changes?: Stream<string, unknown>;
    include?: readonly string[];
    onLoad?: (report: LoadReport) => void;
  } = {},
): Operation<LoadedFolder> {
  const folder = yield* useFolder(files);
  const out = yield* useFolder();
  const registry = createToolRegistry();
  const stackMaps = createStackMaps();
  const { reload } = yield* useWorkspaceTools({
    folder: folder.path,
    id: 'test',
    outDir: out.file('views'),
    registry,
    service,
    stackMaps,
    ...options,
  });
  yield* reload();
  return { folder, registry, stackMaps, reload };
}

/** Runs a tool that needs nothing of its context. */
export function* runBare(tool: AnyTool | undefined): Operation<unknown> {
  const body = tool?.def.body;
  if (body?.kind !== 'execute') throw new Error('not a tool that can be run without phases');
  return yield* body.execute({}, undefined as never);
}
