import { run } from 'effection';
import { expect, it } from 'vitest';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { caughtUp } from '#src/vscode/workspace/caught-up.ts';
import { createToolPort } from '#src/vscode/workspace/tool-port.ts';
import type { WorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { toolSource } from '#test/unit/workspace/folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from '#test/unit/workspace/workspace-fixture.ts';

const A = '.parley/tools/a.ts';

/** A window on a folder with the tool `a`, which gives 1. */
function* inWindow() {
  const loaded = yield* useLoadedFolder(sharedEsbuild(), { [A]: toolSource('a', '1') });
  const port = createToolPort(loaded.registry);
  port.folders.set('test', loaded as unknown as WorkspaceTools);
  const tool = loaded.registry.get('a')?.tool;
  if (!tool) throw new Error('it is not loaded');
  return { ...loaded, port, tool };
}

it('a tool whose file was written a moment ago is run as it is written', () =>
  run(function* () {
    const { folder, port, tool } = yield* inWindow();
    expect(yield* caughtUp(port, tool)).toBe(tool);
    yield* folder.write({ [A]: toolSource('a', '2') });
    expect(yield* runBare((yield* caughtUp(port, tool)) as AnyTool)).toBe(2);
  }));

it('a tool whose file cannot be loaded is run as it could be last', () =>
  run(function* () {
    const { folder, port, tool } = yield* inWindow();
    yield* folder.write({ [A]: 'export const a = ;' });
    expect(yield* runBare((yield* caughtUp(port, tool)) as AnyTool)).toBe(1);
  }));

it('whoever calls a tool that is not in its file any more is told so', () =>
  run(function* () {
    const { folder, port, tool } = yield* inWindow();
    yield* folder.write({ [A]: toolSource('b', '2') });
    let said = '';
    try {
      yield* caughtUp(port, tool);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toBe("'a' is not in its file any more: it was changed a moment ago");
  }));

it('what runs a tool in its own way, such as after it was approved, stays what it is', () =>
  run(function* () {
    const { folder, port, tool } = yield* inWindow();
    yield* folder.write({ [A]: toolSource('a', '2') });
    const approved = { ...tool };
    expect(yield* caughtUp(port, approved)).toBe(approved);
  }));
