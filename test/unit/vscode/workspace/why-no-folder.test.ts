import { expect, it } from 'vitest';
import { whyNoFolder } from '#src/vscode/authoring/workspace/why-no-folder.ts';

const t = (message: string) => message;

it('who has a folder open that is on no disk is not told to open one first', () => {
  expect(whyNoFolder(undefined, t)).toBe('Tools are files in a folder. Open a folder first.');
  expect(whyNoFolder([], t)).toBe('Tools are files in a folder. Open a folder first.');
  expect(whyNoFolder(['vscode-vfs://github/owner/name'], t)).toBe(
    'Tools are read from disk, and the open folder is virtual. Open a folder on disk.',
  );
});
