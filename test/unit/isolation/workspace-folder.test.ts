import { type Operation, run, scoped } from 'effection';
import { describe, expect, it } from 'vitest';
import { useSwitchingRealm } from '#src/isolation/host-side/realms/switching-realm.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { toolSource } from '../workspace/folder-fixture.ts';
import { type LoadedFolder, sharedEsbuild, useLoadedFolder } from '../workspace/workspace-fixture.ts';
import { useRemoteKit } from './remote-kit.ts';

/** A tool, its plugin in another file, both exported a third time; and one that shares a module with them. */
const FILES = {
  '.parley/tools/pick/tool.ts': `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { limit } from '../../lib.ts';
export const pick = createMcpTool('pick').description('Picks.').parameters(z.object({}))
  .elicits({ seat: z.object({ row: z.int().max(limit) }) })
  .execute(function* (_, ctx) { return (yield* ctx.elicit('seat', { message: 'Which?' })).action; });
`,
  '.parley/tools/pick/plugin.ts': `import { makePlugin } from 'parley-mcp';
import { pick } from './tool.ts';
import { Picker } from './picker.view.tsx';
export const plugin = makePlugin(pick).onElicit({
  *seat(_, ctx) { return { action: 'accept', content: { row: yield* ctx.render(Picker, {}) } }; },
}).build();
`,
  '.parley/tools/pick/picker.view.tsx': `export function Picker({ onRespond }: { onRespond(row: number): void }) {
  return <button type="button" onClick={() => onRespond(3)}>3</button>;
}
`,
  '.parley/tools/index.ts': `export * from './pick/tool.ts';\nexport * from './pick/plugin.ts';\nexport * from './other.ts';\n`,
  '.parley/tools/other.ts': toolSource('other', 'limit', `import { limit } from '../lib.ts';`),
  '.parley/lib.ts': 'export const limit = 30;\n',
};

function withFolder(isolation: 'host' | 'worker', body: (loaded: LoadedFolder) => Operation<void>) {
  return run(() =>
    scoped(function* () {
      const kit = yield* useRemoteKit('worker');
      const useRealm = useSwitchingRealm(() => isolation, kit.maker);
      yield* body(yield* useLoadedFolder(sharedEsbuild(), FILES, { useRealm }));
    }),
  );
}

describe.each(['host', 'worker'] as const)(
  'a folder whose tools run in the %s',
  { timeout: 60_000 },
  (place) => {
    it('offers each tool once, however often it is exported, and again after a save', () =>
      withFolder(place, function* ({ registry, folder, reload }) {
        const offered = () => registry.list().map(({ name, plugin }) => [name, plugin !== undefined]);
        const both = [
          ['other', false],
          ['pick', true],
        ];
        expect(registry.problems()).toEqual([]);
        expect(offered().sort()).toEqual(both);
        yield* folder.write({ '.parley/tools/index.ts': `${FILES['.parley/tools/index.ts']}// saved\n` });
        yield* reload();
        expect(registry.problems()).toEqual([]);
        expect(offered().sort()).toEqual(both);
      }));

    it('says where two tools have one name', () =>
      withFolder(place, function* ({ registry, folder, reload }) {
        yield* folder.write({ '.parley/tools/twin.ts': FILES['.parley/tools/other.ts'] });
        yield* reload();
        expect(registry.problems()).toEqual([
          expect.objectContaining({ kind: 'duplicate', file: folder.file('.parley/tools/twin.ts') }),
        ]);
      }));

    it('says at its line what is wrong with a definition, and where a file threw', () =>
      withFolder(place, function* ({ registry, folder, reload }) {
        yield* folder.write({
          '.parley/tools/other.ts': '\n\nthrow new RangeError("on purpose");\nimport "parley-mcp";\n',
          '.parley/tools/wrong.ts': `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const wrong = createMcpTool('wrong').description('x').parameters(z.object({}))
  .elicits({ deep: z.object({ inner: z.object({ a: z.string() }) }) as never })
  .execute(function* () {});
`,
        });
        yield* reload();
        const problems = registry.problems().map(({ kind, file, line }) => [kind, file, line]);
        expect(problems).toContainEqual(['load', folder.file('.parley/tools/other.ts'), 3]);
        expect(problems).toContainEqual(['definition', folder.file('.parley/tools/wrong.ts'), 4]);
      }));

    it('runs what was saved, and maps the places of an error', () =>
      withFolder(place, function* ({ registry, folder, reload, stackMaps }) {
        yield* folder.write({
          '.parley/tools/other.ts': toolSource('other', '(() => { throw new Error("at 9"); })()'),
        });
        yield* reload();
        const manager = yield* createSessionManager();
        const tool = registry.get('other')?.tool;
        if (!tool) throw new Error('the tool is gone');
        const session = yield* manager.create({ tool, params: {} });
        const end = yield* drive(session, createMockMcpClient(), 'end');
        const stack = end.type === 'error' ? (end.error.stack ?? '') : '';
        expect(stackMaps.placeOf(stack)).toMatchObject({
          file: folder.file('.parley/tools/other.ts'),
          line: 9,
        });
      }));
  },
);
