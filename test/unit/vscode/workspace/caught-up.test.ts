import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import { caughtUp } from '#src/vscode/authoring/workspace/caught-up.ts';
import { createToolPort } from '#src/vscode/calls/run/tool-port.ts';
import type { GitMoves } from '#src/workspace/files/git-moves.ts';
import type { WorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { toolSource } from '#test/unit/workspace/folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from '#test/unit/workspace/workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';

/** A window on a folder with the tool `a`, which gives 1. */
function* inWindow(git?: () => Operation<GitMoves>) {
  const options = git ? { git } : {};
  const loaded = yield* useLoadedFolder(sharedEsbuild(), { [A]: toolSource('a', '1') }, options);
  const port = createToolPort(loaded.registry);
  port.folders.set('test', loaded as unknown as WorkspaceTools);
  return {
    folder: loaded.folder,
    said: (name: string) => caughtUp(port, name),
    *refused(name: string) {
      try {
        return yield* caughtUp(port, name);
      } catch (error) {
        return (error as Error).message;
      }
    },
    call: (name: string) => runBare(loaded.registry.get(name)?.tool),
  };
}

function* gitThatMoved(moved: boolean): Operation<GitMoves> {
  return {
    *moved() {
      return moved;
    },
  };
}

describe('a tool that an agent calls', () => {
  it('is there as it was written a moment ago, with nothing to say about it', () =>
    run(function* () {
      const { folder, said, call } = yield* inWindow();
      expect([yield* said('a'), yield* call('a')]).toEqual([undefined, 1]);
      yield* folder.write({ [A]: toolSource('a', '2') });
      expect([yield* said('a'), yield* call('a')]).toEqual([undefined, 2]);
    }));

  it('is there where its file was made a moment ago', () =>
    run(function* () {
      const { folder, said, call } = yield* inWindow();
      yield* folder.write({ [B]: toolSource('b', '2') });
      expect([yield* said('b'), yield* call('b')]).toEqual([undefined, 2]);
    }));

  it('is the last version that could be loaded where its file is broken, which is said with the place, for as long as it is', () =>
    run(function* () {
      const { folder, said, call } = yield* inWindow();
      yield* folder.write({ [A]: '\nexport const a = ;' });
      for (const note of [yield* said('a'), yield* said('a')])
        expect(note).toMatch(
          /^Note: 'a' ran as it was loaded at \d{4}-.+Z, and not as it is written now: its file cannot be loaded\.\n\.parley\/tools\/a\.ts:2: Unexpected ";"$/,
        );
      expect(yield* call('a')).toBe(1);
      yield* folder.write({ [A]: toolSource('a', '2') });
      expect([yield* said('a'), yield* call('a')]).toEqual([undefined, 2]);
    }));

  it('is said to be in a file that cannot be loaded, also where the change waits to be allowed', () =>
    run(function* () {
      const { folder, said, call } = yield* inWindow(() => gitThatMoved(false));
      yield* folder.write({ [A]: toolSource('a', '2') });
      expect(yield* said('a')).toMatch(/was changed outside this editor, and is not loaded yet/);
      yield* folder.write({ [A]: 'export const a = ;' });
      expect(yield* said('a')).toContain('its file cannot be loaded.\n.parley/tools/a.ts:1: Unexpected ";"');
      expect(yield* call('a')).toBe(1);
    }));

  it('is said to wait where git has changed its file', () =>
    run(function* () {
      const { folder, said, call } = yield* inWindow(() => gitThatMoved(true));
      yield* folder.write({ [A]: toolSource('a', '2') });
      expect(yield* said('a')).toMatch(
        /\.parley\/tools\/a\.ts:1: Git has changed this file, and it is not loaded yet/,
      );
      expect(yield* call('a')).toBe(1);
    }));

  it('that is not in its file any more is said to be gone', () =>
    run(function* () {
      const { folder, refused } = yield* inWindow();
      yield* folder.write({ [A]: toolSource('b', '2') });
      expect(yield* refused('a')).toBe("'a' is not in its file any more: it was changed a moment ago");
    }));

  it('that nobody has is said to be in a file that cannot be loaded, where there is one', () =>
    run(function* () {
      const { folder, refused } = yield* inWindow();
      expect(yield* refused('b')).toBe(undefined);
      yield* folder.write({ [B]: 'export const b = ;' });
      expect(yield* refused('b')).toBe(
        'there is no tool \'b\'. It may be in a file that cannot be loaded:\n.parley/tools/b.ts:1: Unexpected ";"',
      );
    }));
});
