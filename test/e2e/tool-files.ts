import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bridge } from '#harness';

/** The source of a tool that returns its own name, after `first` has run. */
export function toolSource(name: string, first = ''): string {
  return `import { appendFileSync } from 'node:fs';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
${first || 'void appendFileSync;'}
export const tool = createMcpTool('${name}').description('Is called ${name}.').parameters(z.object({})).elicits({})
  .execute(function* () { return '${name}'; });
`;
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Writes a tool file as a person does who works in another editor, too: what is written there waits until they say so. */
export async function writeTool(bridge: Bridge, file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await bridge.execute('parley.reloadTools');
}

/** Names of all tools that can be called, sorted. */
export async function toolNames(bridge: Bridge): Promise<readonly string[]> {
  const names = await bridge.evaluate(
    (api) => api.extensions.getExtension('parley.parley-mcp')?.exports.getApi(1).tools() as string[],
    undefined,
  );
  return [...names].sort();
}
