import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSignal, run, scoped, sleep, spawn, until, withResolvers } from 'effection';
import { expect, test } from 'vitest';
import { useChangedFiles } from '#src/workspace/files/changed-files.ts';
import { tempFolder } from '#test/temp-folder.ts';

test('what has changed while an earlier change was looked at has settled only when it was looked at, too', () =>
  run(() =>
    scoped(function* () {
      const folder = tempFolder();
      const file = join(folder, 'tool.ts');
      yield* until(writeFile(file, 'one'));
      const edits = createSignal<string, never>();
      const asked: string[] = [];
      const first = { begun: withResolvers<void>(), moved: withResolvers<boolean>() };
      const second = { begun: withResolvers<void>(), moved: withResolvers<boolean>() };
      const looks = [first, second];
      const changed = yield* useChangedFiles({
        folder,
        edits,
        git: {
          *moved() {
            const look = looks.shift() ?? second;
            look.begun.resolve();
            return yield* look.moved.operation;
          },
        },
        isRelevant: (path) => path === file,
        waits: () => false,
        note: () => {},
        request: ({ changed: paths }) => asked.push(...(paths as ReadonlySet<string>)),
      });
      // Of no consequence, and looked at for a long time.
      edits.send(join(folder, 'other'));
      yield* first.begun.operation;
      edits.send(file);
      let settled = false;
      const waiting = yield* spawn(function* () {
        yield* changed.settled();
        settled = true;
      });
      // It waits for the first look.
      yield* sleep(0);
      yield* sleep(0);
      first.moved.resolve(false);
      yield* second.begun.operation;
      expect([settled, asked]).toEqual([false, []]);
      second.moved.resolve(false);
      yield* waiting;
      expect(asked).toEqual([file]);
    }),
  ));
