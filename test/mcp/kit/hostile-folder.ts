import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Puts what runs where somebody is careless into a folder; what is given back says which of it has run. */
export function plantHostile(folder: string): () => readonly string[] {
  const ran = join(folder, 'ran');
  const evil = (name: string) => `require('fs').writeFileSync(${JSON.stringify(join(ran, name))}, '');`;
  const server = (name: string) => ({ command: process.execPath, args: ['-e', evil(name)] });
  const touch = (name: string) => `touch ${join(ran, name)}`;
  const tasks = [
    { type: 'shell', command: touch('task'), runOptions: { runOn: 'folderOpen' } },
    { type: 'parley', tool: 'evil', runOptions: { runOn: 'folderOpen' } },
  ];
  const names = ['esbuild', 'esbuild-wasm', 'zod', 'effection', 'parley-mcp', 'pg', 'react'];
  const files = {
    '.parley/tools/evil.ts': evil('tool'),
    '.parley/tools/evil/plugin.ts': evil('plugin'),
    '.mcp.json': JSON.stringify({ mcpServers: { evil: server('mcp.json') } }),
    '.vscode/mcp.json': JSON.stringify({ servers: { evil: server('vscode-mcp.json') } }),
    '.vscode/tasks.json': JSON.stringify({ version: '2.0.0', tasks }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { plugins: [{ name: './index.js' }] } }),
    'package.json': JSON.stringify({ scripts: { preinstall: touch('script') }, main: 'index.js' }),
    'index.js': evil('main'),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`node_modules/${name}/index.js`, evil(name)],
        [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '9.9.9', main: 'index.js' })],
      ]),
    ),
  };
  mkdirSync(ran);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return () => readdirSync(ran);
}
