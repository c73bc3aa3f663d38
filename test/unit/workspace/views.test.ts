import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { run, until } from 'effection';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ViewReference } from '#src/core/plugin/view.ts';
import type { ViewBundle } from '#src/workspace/registry/view-bundle.ts';
import { toolSource } from './folder-fixture.ts';
import { type LoadedFolder, runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const service = sharedEsbuild();
const TOOL = '.parley/tools/pick.ts';
const VIEW = '.parley/tools/list.view.tsx';
const CSS = '.parley/tools/list.css';

/** A tool that returns what it imported as its view. */
const tool = toolSource('pick', 'List', "import { List } from './list.view.tsx';");
const view = (text: string) =>
  `import { useState } from 'react';
import { useDraft } from 'parley-mcp/webview';
import './list.css';
import { secret } from './only-in-page.ts';
export interface Props { items: string[] }
export function List(props: Props) { return <ul>${text}{secret}{typeof useState}{typeof useDraft}</ul>; }
`;
const files: Readonly<Record<string, string>> = {
  [TOOL]: tool,
  [VIEW]: view('one'),
  [CSS]: '.list { color: red; }',
  '.parley/tools/only-in-page.ts': "export const secret = 'only in the page';",
};

/** What the page puts on its global object for view bundles. */
beforeEach(() => {
  const element = (type: unknown, props: unknown) => ({ type, props });
  Object.assign(globalThis, {
    [Symbol.for('parley.webview.modules')]: {
      react: { useState: () => {} },
      'react/jsx-runtime': { jsx: element, jsxs: element },
      'parley-mcp/webview': { useDraft: () => {} },
    },
  });
});

function* referenceOf({ registry }: LoadedFolder) {
  return (yield* runBare(registry.get('pick')?.tool)) as ViewReference;
}

function* viewsIn(bundle: ViewBundle | undefined) {
  if (!bundle) throw new Error('there is no bundle');
  const url = pathToFileURL(bundle.script).href;
  const module = yield* until(
    import(/* @vite-ignore */ url) as Promise<{ views: Record<string, (props: object) => unknown> }>,
  );
  return module.views;
}

describe('a view of a workspace tool', () => {
  test('is a reference in the host, and a component in the bundle for the page', () =>
    run(function* () {
      const loaded = yield* useLoadedFolder(service, files);
      const reference = yield* referenceOf(loaded);
      expect(reference).toEqual({
        kind: 'parley.view',
        name: 'List',
        key: expect.stringMatching(/^test:\.parley\/tools\/list\.view\.tsx#List@[0-9a-f]{16}$/),
      });
      const bundle = loaded.registry.viewBundle(reference.key);
      const views = yield* viewsIn(bundle);
      expect(JSON.stringify(views[reference.key]?.({ items: [] }))).toContain('only in the page');
      expect(yield* until(readFile(bundle?.style ?? '', 'utf8'))).toContain('color: red');
    }));

  test('comes with a new key when it changes; what runs on the old one still finds the old bundle', () =>
    run(function* () {
      const loaded = yield* useLoadedFolder(service, files);
      const before = yield* referenceOf(loaded);
      yield* loaded.folder.write({ [VIEW]: view('two') });
      yield* loaded.reload();
      const after = yield* referenceOf(loaded);
      expect(after.key).not.toBe(before.key);
      const old = yield* viewsIn(loaded.registry.viewBundle(before.key));
      const young = yield* viewsIn(loaded.registry.viewBundle(after.key));
      expect(JSON.stringify(old[before.key]?.({}))).toContain('one');
      expect(JSON.stringify(young[after.key]?.({}))).toContain('two');
    }));

  test('keeps its key when only the host side changes', () =>
    run(function* () {
      const loaded = yield* useLoadedFolder(service, files);
      const before = yield* referenceOf(loaded);
      yield* loaded.folder.write({ [TOOL]: `${tool}\nexport const more = 1;` });
      yield* loaded.reload();
      expect((yield* referenceOf(loaded)).key).toBe(before.key);
    }));

  test.each([
    ['itself', VIEW, 'export const List = () => <ul>;', 1],
    ['a stylesheet it needs', CSS, '@import "./gone.css";', 1],
    ['a module it needs', '.parley/tools/only-in-page.ts', 'export const secret = ;', 1],
    ['an import of it', VIEW, `import { x } from 'parley-mcp';\nexport const List = x;`, 1],
  ])('that is broken in %s keeps its tool as it was, and shows where', (_what, file, text, line) =>
    run(function* () {
      const loaded = yield* useLoadedFolder(service, {
        ...files,
        '.parley/tools/b.ts': toolSource('b', '1'),
      });
      const before = yield* referenceOf(loaded);
      yield* loaded.folder.write({
        [file]: text,
        [TOOL]: `${tool}\nexport const more = 1;`,
        '.parley/tools/b.ts': toolSource('b', '2'),
      });
      yield* loaded.reload();
      expect(loaded.registry.problems()).toMatchObject([
        { kind: 'build', file: loaded.folder.file(file), line },
      ]);
      expect(yield* referenceOf(loaded)).toEqual(before);
      expect(yield* runBare(loaded.registry.get('b')?.tool)).toBe(2);
      const views = yield* viewsIn(loaded.registry.viewBundle(before.key));
      expect(JSON.stringify(views[before.key]?.({}))).toContain('one');

      yield* loaded.folder.write({ [file]: files[file] ?? '' });
      yield* loaded.reload();
      expect(loaded.registry.problems()).toEqual([]);
    }),
  );

  test('that is not exported is an error at the import', () =>
    run(function* () {
      const { folder, registry } = yield* useLoadedFolder(service, {
        ...files,
        [TOOL]: tool.replace('{ List }', '{ Lisst as List }'),
      });
      expect(registry.problems()).toMatchObject([{ file: folder.file(TOOL), line: 3, column: 10 }]);
    }));

  test('leaves nothing on disk behind', async () => {
    let bundle: ViewBundle | undefined;
    await run(function* () {
      const loaded = yield* useLoadedFolder(service, files);
      bundle = loaded.registry.viewBundle((yield* referenceOf(loaded)).key);
      expect(existsSync(bundle?.script ?? '')).toBe(true);
    });
    expect(existsSync(bundle?.script ?? '')).toBe(false);
  });
});
