import { sep } from 'node:path';
import { run } from 'effection';
import { describe, expect, test } from 'vitest';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const service = sharedEsbuild();
/** Whatever a file system takes that has slashes between folders, but for the backslash. */
const NAMES = [
  'tool #1 %20',
  'wärm 🦊',
  "it's",
  '$(touch x)',
  '[b]',
  '{a,b}',
  '`tick`',
  '-dash',
  '..dots',
  '\u2028',
  'line\nfeed',
  'tab\t',
  'bell\u0007',
  '"quoted"',
  'a?b*',
  '*',
  '<x>|y:z',
];

describe.skipIf(sep !== '/')('a tool file of a hostile name', () => {
  test('is loaded, run and changed like any other, and so is one that shares a folder of such a name', () =>
    run(function* () {
      const at = (index: number) => `.parley/tools/${index % 2 ? `${NAMES[index]}/` : ''}${NAMES[index]}.ts`;
      const all = (result: (index: number) => string) =>
        Object.fromEntries(NAMES.map((_, index) => [at(index), toolSource(`t${index}`, result(index))]));
      const { folder, registry, reload } = yield* useLoadedFolder(service, all(String));
      const names = NAMES.map((_, index) => `t${index}`);
      expect(registry.problems()).toEqual([]);
      expect(registry.list().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      for (const [index, name] of names.entries())
        expect(yield* runBare(registry.get(name)?.tool)).toBe(index);

      yield* folder.write(all((index) => `'again ${index}'`));
      yield* reload();
      for (const [index, name] of names.entries())
        expect(yield* runBare(registry.get(name)?.tool)).toBe(`again ${index}`);
    }));

  test('is named as it is where it throws', () =>
    run(function* () {
      const { folder, registry, stackMaps } = yield* useLoadedFolder(service, {
        '.parley/tools/tool #1 %20?.ts': toolSource('thrower', "(() => { throw new Error('no'); })()"),
      });
      let stack = '';
      try {
        yield* runBare(registry.get('thrower')?.tool);
      } catch (error) {
        stack = String((error as Error).stack);
      }
      expect(stackMaps.placeOf(stack)?.file).toBe(folder.file('.parley/tools/tool #1 %20?.ts'));
    }));

  test('may import others of such names, a view among them', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, {
        '.parley/tools/a*b/#1.ts': `import { Shown } from './v"\\n.view.tsx';\n${toolSource('star', 'typeof Shown')}`,
        '.parley/tools/a*b/v"\n.view.tsx':
          "import { text } from './t#?.ts'; export const Shown = () => <p>{text}</p>;",
        '.parley/tools/a*b/t#?.ts': "export const text = 'shown';",
      });
      expect(registry.problems()).toEqual([]);
      expect(yield* runBare(registry.get('star')?.tool)).toBe('object');
    }));

  test('with a backslash is told to be renamed; the others are there', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        '.parley/tools/back\\slash.ts': toolSource('slash'),
        '.parley/tools/good.ts': toolSource('good'),
      });
      expect(registry.problems().map(({ file, message }) => [file, message])).toEqual([
        [
          folder.file('.parley/tools/back\\slash.ts'),
          'A file with a backslash in its path cannot be built: rename it.',
        ],
      ]);
      expect(yield* runBare(registry.get('good')?.tool)).toBe('good');
      yield* folder.remove('.parley/tools/back\\slash.ts');
      yield* folder.write({ '.parley/tools/slash.ts': toolSource('slash') });
      yield* reload();
      expect(registry.problems()).toEqual([]);
      expect(registry.get('slash')).toBeDefined();
    }));
});
