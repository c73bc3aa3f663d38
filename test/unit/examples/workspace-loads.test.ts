import { join } from 'node:path';
import { run } from 'effection';
import { expect, test } from 'vitest';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import { useWorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { useFolder } from '../workspace/folder-fixture.ts';
import { sharedEsbuild } from '../workspace/workspace-fixture.ts';

const folder = join(import.meta.dirname, '../../../examples/workspace');
const service = sharedEsbuild();

test('the example workspace loads as a workspace of anybody would: each tool once, and no problems', () =>
  run(function* () {
    const out = yield* useFolder();
    const registry = createToolRegistry();
    const tools = yield* useWorkspaceTools({
      folder,
      outDir: out.file('views'),
      registry,
      service,
      stackMaps: createStackMaps(),
    });
    yield* tools.reload();

    expect(registry.problems()).toEqual([]);
    const offered = registry.list().map(({ name, plugin }) => [name, plugin ? 'with views' : 'bare']);
    expect(Object.fromEntries(offered)).toEqual({
      book_flight: 'with views',
      failing: 'bare',
      field_kinds: 'bare',
      fix_problems: 'with views',
      pick_card: 'with views',
      slow_count: 'bare',
      tictactoe: 'with views',
      word_count: 'bare',
    });
    expect(offered).toHaveLength(8);
  }));
