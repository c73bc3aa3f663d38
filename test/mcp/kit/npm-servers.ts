import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './parley-serve.ts';

/** A server that npm has: how it is started, and a call whose result is the same each time, without a network. */
export interface NpmServer {
  readonly version: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly call: readonly [tool: string, args: Readonly<Record<string, unknown>>];
}

/** They all start without a network. */
export const NPM_SERVERS: Readonly<Record<string, NpmServer>> = {
  '@modelcontextprotocol/server-everything': { version: '2026.8.31', call: ['echo', { message: 'hi' }] },
  '@modelcontextprotocol/server-filesystem': {
    version: '2026.8.31',
    args: [join(root, 'examples')],
    call: ['list_directory', { path: join(root, 'examples') }],
  },
  '@modelcontextprotocol/server-memory': { version: '2026.8.31', call: ['read_graph', {}] },
  // It makes a number of a text itself.
  '@modelcontextprotocol/server-sequential-thinking': {
    version: '2026.8.31',
    call: [
      'sequentialthinking',
      { thought: 'x', nextThoughtNeeded: 'false', thoughtNumber: '1', totalThoughts: '1' },
    ],
  },
  '@antv/mcp-server-chart': { version: '0.9.10', call: ['generate_pie_chart', { data: [], theme: 'none' }] },
  '@cyanheads/git-mcp-server': { version: '2.15.3', call: ['git_log', { path: '/nowhere' }] },
  '@eslint/mcp': { version: '0.3.13', call: ['lint-files', { filePaths: [] }] },
  '@knip/mcp': { version: '0.0.36', call: ['knip-docs', { topic: 'nothing' }] },
  '@upstash/context7-mcp': { version: '4.1.1', call: ['resolve-library-id', {}] },
  'exa-mcp-server': { version: '3.4.1', env: { EXA_API_KEY: 'none' }, call: ['web_search_exa', {}] },
  'figma-developer-mcp': {
    version: '0.13.2',
    args: ['--stdio'],
    env: { FIGMA_API_KEY: 'none' },
    call: ['get_figma_data', {}],
  },
  'mcp-server-code-runner': {
    version: '0.1.8',
    call: ['run-code', { code: 'console.log(1 + 1)', languageId: 'javascript' }],
  },
};

/** Installs them, once for these versions, and gives the program of each. */
export async function installServers(): Promise<ReadonlyMap<string, string>> {
  const dependencies = Object.fromEntries(
    Object.entries(NPM_SERVERS).map(([name, { version }]) => [name, version]),
  );
  const text = JSON.stringify({ private: true, dependencies });
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `npm-servers-${hash}`);
  if (!existsSync(folder)) {
    const making = `${folder}-${process.pid}`;
    await mkdir(making, { recursive: true });
    await writeFile(join(making, 'package.json'), text);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...flags], {
      cwd: making,
      shell: process.platform === 'win32',
    });
    await rename(making, folder).catch(() => rm(making, { recursive: true }));
  }
  const programs = Object.keys(NPM_SERVERS).map(async (name) => {
    const at = join(folder, 'node_modules', name);
    const { bin } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'));
    return [name, join(at, typeof bin === 'string' ? bin : String(Object.values(bin)[0]))] as const;
  });
  return new Map(await Promise.all(programs));
}
