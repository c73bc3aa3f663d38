import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'effection';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';

const window = vi.hoisted(() => ({ folders: [] as object[] }));

vi.mock('vscode', () => {
  const uri = (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` });
  return {
    Uri: {
      file: uri,
      joinPath: ({ fsPath }: { fsPath: string }, ...path: string[]) => uri([fsPath, ...path].join('/')),
    },
    workspace: {
      get workspaceFolders() {
        return window.folders;
      },
      getConfiguration: () => ({ get: () => ({}) }),
    },
  };
});

const vscode = await import('vscode');
const { readSources } = await import('#src/vscode/servers/sources/read-sources.ts');

const HOME = `\${${'HOME'}}`;

let folder: string;
beforeEach(() => {
  folder = tempFolder();
  window.folders = [{ uri: vscode.Uri.file(folder) }];
  vi.stubEnv('COPILOT_HOME', join(folder, 'copilot'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function write(path: string, key: string, servers: object): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify({ [key]: servers }));
}

const read = () => run(readSources);

it('servers of agents are found after those of the editor, of which the first of a name counts', async () => {
  write('.vscode/mcp.json', 'servers', { both: { command: 'editor' } });
  write('.mcp.json', 'mcpServers', { both: { command: 'agent' }, own: { command: 'x', args: [HOME] } });
  write('copilot/mcp-config.json', 'mcpServers', { persons: { type: 'local', command: 'y', tools: ['*'] } });
  const { servers, problems } = await read();
  expect(problems).toEqual([]);
  expect(servers.map(({ name, place, written }) => [name, place, written?.[1].command])).toEqual([
    ['both', 'file', 'editor'],
    ['own', 'agent', 'x'],
    ['persons', 'agent', 'y'],
  ]);
  expect(servers[1]?.written?.[1].args).toEqual([`\${env:${HOME.slice(2)}`]);
});

it('what a person allowed of Copilot’s servers in one folder is not allowed in another', async () => {
  write('copilot/mcp-config.json', 'mcpServers', { persons: { command: 'y' } });
  expect((await read()).servers[0]?.owner).toBe(`copilot file://${folder}`);
  window.folders = [];
  expect((await read()).servers).toEqual([]);
});

it('Parley in an agent’s configuration is no server of its own window', async () => {
  write('.mcp.json', 'mcpServers', {
    parley: { type: 'http', url: 'http://127.0.0.1:1/mcp' },
    shop: { command: 'npx', args: ['-y', 'parley-mcp', 'serve', '.'] },
  });
  expect((await read()).servers).toEqual([]);
});

it('a file that cannot be read is a problem at its place, and the others count', async () => {
  write('.mcp.json', 'mcpServers', { own: { command: 'x' } });
  mkdirSync(join(folder, 'copilot'));
  writeFileSync(join(folder, 'copilot', 'mcp-config.json'), '{ "mcpServers": ');
  const { servers, problems } = await read();
  expect([servers.length, problems.map(({ file }) => file.fsPath)]).toEqual([
    1,
    [join(folder, 'copilot', 'mcp-config.json')],
  ]);
});
