import { run } from 'effection';
import { expect, it } from 'vitest';
import { saved } from '#src/vscode/editor/saved.ts';

it.each([
  ['that this call has saved is saved', true, false, true],
  ['that the editor had saved by itself is saved, though there was nothing left to save', false, false, true],
  ['that could not be saved is not', false, true, false],
])('a document %s', async (_what, answer, isDirty, expected) => {
  const document = { isDirty, save: async () => answer };
  expect(await run(() => saved(document))).toBe(expected);
});
