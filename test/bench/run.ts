import { cpus, loadavg } from 'node:os';
import { keepResults } from './keep-results.ts';
import { type Row, tableOf } from './report.ts';

/** All parts of the bench, by name: `npm run bench -- calls verbs` runs only those. */
const parts: Readonly<Record<string, readonly [title: string, rows: () => Promise<readonly Row[]>]>> = {
  calls: ['A call', async () => (await import('./call.bench.ts')).callRows()],
  verbs: ['Verbs and scale', async () => (await import('./verbs.bench.ts')).verbRows()],
  code: ['Calls inside calls, and from code', async () => (await import('./code.bench.ts')).codeRows()],
  wire: ['On the wire', async () => (await import('./mcp.bench.ts')).mcpRows()],
  gateway: ['Through the gateway', async () => (await import('./mcp.bench.ts')).gatewayRows()],
  journal: ['Journals', async () => (await import('./journal.bench.ts')).journalRows()],
  team: ['Calls in PostgreSQL', async () => (await import('./team.bench.ts')).teamRows()],
  sizes: ['Sizes', async () => (await import('./size.bench.ts')).sizeRows()],
  pages: ['Pages in a conversation', async () => (await import('./app-page.bench.ts')).appPageRows()],
  chat: ['From the chat', async () => (await import('./chat.bench.ts')).chatRows()],
  workspace: ['Tools of a workspace', async () => (await import('./workspace.bench.ts')).workspaceRows()],
  servers: ['Servers of a window', async () => (await import('./servers.bench.ts')).serverRows()],
  reload: ['After a reload of the window', async () => (await import('./reload.bench.ts')).reloadRows()],
  editor: ['In a real VS Code', async () => (await import('./editor.bench.ts')).editorRows()],
};

const keeps = process.argv.includes('--keep');
const wanted = process.argv.slice(2).filter((name) => name !== '--keep');
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join('", "')}". Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, load ${loadavg()[0]?.toFixed(1)}`;
console.log(`${machine}. Ratios are of one run; quote those.`);
for (const [name, [title, rows]] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const table = tableOf(await rows());
  console.log(`\n## ${title}\n\n${table}`);
  if (keeps) await keepResults(title, machine, table);
}
