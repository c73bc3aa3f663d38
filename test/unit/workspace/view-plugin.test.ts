import { run, until } from 'effection';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { type ViewFiles, viewReferences, viewRegistry } from '#src/workspace/build/views/view-plugin.ts';
import { BUILD_PLACEHOLDER, buildHash, stamp } from '#src/workspace/build/views/view-stamp.ts';
import { useFolder } from './folder-fixture.ts';

describe('the view plugin', () => {
  test('puts references in the host bundle and components in the page’s, for the same keys', () =>
    run(function* () {
      const folder = yield* useFolder({
        'handler.ts':
          "import { List, type Props } from './list.view';\nimport whole from './whole.view.tsx';\nexport const views: unknown[] = [List, whole];\nexport type P = Props;",
        'list.view.tsx':
          "export interface Props { a: 1 }\nconst component = () => 'the component';\nexport { component as List, component as delete };",
        'whole.view.tsx': "export default () => 'another component';",
        'unused.view.tsx': "export const Unused = () => 'nobody renders this';",
      });
      const root = { id: 'r', dir: folder.path };
      const found: ViewFiles = new Map();
      const common = { absWorkingDir: folder.path, bundle: true, write: false, format: 'esm' } as const;
      const host = yield* until(
        build({ ...common, entryPoints: ['handler.ts'], plugins: [viewReferences(root, found)] }),
      );
      const page = yield* until(
        build({
          ...common,
          stdin: { contents: "export { views } from 'parley:views';", resolveDir: folder.path },
          plugins: [viewRegistry(root, found)],
        }),
      );
      const [hostText, pageText] = [host, page].map(({ outputFiles }) => outputFiles[0]?.text ?? '');
      expect(hostText).not.toContain('component');
      expect(pageText).not.toContain('nobody');

      const references = (yield* imported(hostText)).views;
      const views = (yield* imported(pageText)).views;
      const key = (path: string) => `r:${path}@${BUILD_PLACEHOLDER}`;
      expect(references).toEqual([
        { kind: 'parley.view', key: key('list.view.tsx#List'), name: 'List' },
        { kind: 'parley.view', key: key('whole.view.tsx#default'), name: 'default' },
      ]);
      expect(Object.keys(views).sort()).toEqual([
        key('list.view.tsx#List'),
        key('list.view.tsx#delete'),
        key('whole.view.tsx#default'),
      ]);
      expect(views[key('whole.view.tsx#default')]()).toBe('another component');
    }));

  test('forgets views that are no longer imported', () =>
    run(function* () {
      const folder = yield* useFolder({
        'a.ts': "export * from './a.view.tsx';",
        'b.ts': 'export const b = 1;',
        'a.view.tsx': 'export const A = 1;',
      });
      const found: ViewFiles = new Map();
      const plugins = [viewReferences({ id: 'r', dir: folder.path }, found)];
      const options = { absWorkingDir: folder.path, bundle: true, write: false, plugins } as const;
      yield* until(build({ ...options, entryPoints: ['a.ts'] }));
      expect([...found]).toEqual([[folder.file('a.view.tsx'), ['A']]]);
      yield* until(build({ ...options, entryPoints: ['b.ts'] }));
      expect(found.size).toBe(0);
    }));

  test('says what is wrong with a view, at its place', () =>
    run(function* () {
      const folder = yield* useFolder({
        'a.ts': "export * from './a.view.tsx';",
        'a.view.tsx': 'export const A = <p>;',
      });
      const plugins = [viewReferences({ id: 'r', dir: folder.path }, new Map())];
      const failure = yield* until(
        build({
          absWorkingDir: folder.path,
          bundle: true,
          write: false,
          plugins,
          entryPoints: ['a.ts'],
          logLevel: 'silent',
        }).catch((error) => error),
      );
      expect(failure.errors).toMatchObject([{ location: { file: 'a.view.tsx', line: 1 } }]);
    }));
});

describe('the stamp of a build', () => {
  test('depends on what the page loads and on nothing else, and moves no column', () => {
    const one = { path: 'views.js', text: `a ${BUILD_PLACEHOLDER}` };
    const two = { path: 'views.css', text: 'b' };
    const hash = buildHash([one, two]);
    expect(buildHash([two, one])).toBe(hash);
    expect(buildHash([one])).not.toBe(hash);
    expect(buildHash([{ ...one, text: 'c' }, two])).not.toBe(hash);
    const stamped = stamp(`${BUILD_PLACEHOLDER} and ${BUILD_PLACEHOLDER}`, hash);
    expect(stamped).toBe(`${hash} and ${hash}`);
    expect(hash).toHaveLength(BUILD_PLACEHOLDER.length);
  });
});

function* imported(text: string | undefined) {
  return yield* until(import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text ?? '')}`));
}
