import { describe, expect, it } from 'vitest';
import { sharedStorage } from '#src/vscode/history/shared-storage.ts';

describe('the storage of the windows on a folder', () => {
  it('is that of the first of them', () => {
    const first = '/data/workspaceStorage/-4f0c21/parley.parley-mcp';
    expect(sharedStorage(first)).toEqual({ folder: first, window: 0 });
    const second = '/data/workspaceStorage/-4f0c21-1/parley.parley-mcp';
    expect(sharedStorage(second)).toEqual({ folder: first, window: 1 });
  });

  it('is found on Windows, too, whatever else has a number', () => {
    const first = String.raw`C:\data-1\workspaceStorage\ab12\parley.parley-mcp`;
    const third = String.raw`C:\data-1\workspaceStorage\ab12-2\parley.parley-mcp`;
    expect(sharedStorage(third)).toEqual({ folder: first, window: 2 });
    for (const own of [first, '/data/-1/parley', '/data/ab-12/parley', '/data-1/ab/parley'])
      expect(sharedStorage(own)).toEqual({ folder: own, window: 0 });
  });
});
