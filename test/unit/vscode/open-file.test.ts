import { expect, it, vi } from 'vitest';
import { fixProblems } from '#examples/workspace/.parley/tools/fix-problems/tool.ts';
import { reviewPlan } from '#src/tools/review-plan/tool.ts';

const editor = vi.hoisted(() => ({ scheme: 'file', problems: [{}] as unknown[] }));
vi.mock('vscode', () => ({
  window: {
    get activeTextEditor() {
      return { document: { uri: { scheme: editor.scheme, path: '/folder/src/a.ts' } } };
    },
  },
  languages: { getDiagnostics: () => editor.problems },
  workspace: { asRelativePath: () => 'src/a.ts' },
}));
const { openFileFor } = await import('#src/vscode/authoring/run-on/open-file.ts');

it('a tool that mends begins with the open file, where that has problems', () => {
  expect(openFileFor(fixProblems)).toEqual({ file: 'src/a.ts' });
  expect(openFileFor(reviewPlan)).toBeUndefined();
  editor.scheme = 'output';
  expect(openFileFor(fixProblems)).toBeUndefined();
  Object.assign(editor, { scheme: 'file', problems: [] });
  expect(openFileFor(fixProblems)).toBeUndefined();
});
