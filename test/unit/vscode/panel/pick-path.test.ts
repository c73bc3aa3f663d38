import { run } from 'effection';
import { beforeEach, expect, test, vi } from 'vitest';

const editor = (path: string, from: readonly [number, number], to: readonly [number, number]) => {
  const [start, end] = [from, to].map(([line, character]) => ({ line, character }));
  const isEmpty = from.join() === to.join();
  return { document: { uri: { scheme: 'file', path } }, selection: { start, end, isEmpty } };
};
const shown = vi.hoisted(() => ({ asked: [] as unknown[], said: [] as string[], editors: [] as unknown[] }));
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  window: {
    showOpenDialog: async (options: unknown) => {
      shown.asked.push(options);
      return [{ path: '/folder/src' }];
    },
    showInformationMessage: (text: string) => void shown.said.push(text),
    get visibleTextEditors() {
      return shown.editors;
    },
  },
  workspace: { asRelativePath: ({ path }: { path: string }) => path.replace('/folder/', '') },
}));
const { pickPath } = await import('#src/vscode/calls/panel/pick-path.ts');

beforeEach(() => Object.assign(shown, { asked: [], said: [], editors: [] }));

test.each([
  ['file', { canSelectFiles: true, canSelectFolders: false }],
  ['folder', { canSelectFiles: false, canSelectFolders: true }],
] as const)('a %s is picked, and nothing else', async (what, can) => {
  expect(await run(() => pickPath(what))).toBe('src');
  expect(shown.asked).toMatchObject([can]);
});

test('a place is the lines that are selected; whole lines end where the next one begins', async () => {
  shown.editors = [editor('/folder/a.ts', [4, 0], [4, 0]), editor('/folder/b.ts', [1, 0], [3, 0])];
  expect(await run(() => pickPath('place'))).toBe('b.ts:2-3');
  shown.editors = [editor('/folder/a.ts', [4, 2], [4, 2])];
  expect(await run(() => pickPath('place'))).toBe('a.ts:5');
  shown.editors = [];
  expect(await run(() => pickPath('place'))).toBeUndefined();
  expect(shown.said).toEqual(['Open the file beside the panel and select the lines first.']);
});
