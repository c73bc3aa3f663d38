import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keptState } from '#src/vscode/agents/mcp/kept-state.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { createDisk } from './window-kit.ts';

async function folder() {
  const path = tempFolder();
  const storage = join(path, 'not made yet');
  const open = () =>
    keptState({
      storageUri: { scheme: 'file', fsPath: storage } as never,
      workspaceState: createDisk().state,
    });
  return { storage, open };
}

it('what is kept of a workspace is there at once for the window that comes next, and for one beside', async () => {
  const { storage, open } = await folder();
  const [one, beside] = [open(), open()];
  expect(one.get('port')).toBeUndefined();
  await one.update('port', 1234);
  await beside.update('workspace', 'w');
  expect(open().get('port')).toBe(1234);
  expect(one.get('workspace')).toBe('w');
  expect(await readdir(storage)).toEqual(['mcp.json']);
});

it.each(['', '[]', '{"port":', 'null'])(
  'what is damaged is nothing, and can be written: %j',
  async (text) => {
    const { storage, open } = await folder();
    await open().update('port', 1234);
    await writeFile(join(storage, 'mcp.json'), text);
    expect(open().get('port')).toBeUndefined();
    await open().update('port', 5678);
    expect(open().get('port')).toBe(5678);
  },
);

it('a window without a folder on disk keeps it where VS Code does', async () => {
  const { state: workspaceState } = createDisk();
  await keptState({ storageUri: undefined, workspaceState }).update('port', 1234);
  expect(workspaceState.get('port')).toBe(1234);
});
