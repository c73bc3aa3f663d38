import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { cli, type Served, serveHttp } from './kit/parley-serve.ts';

const TOOL = `
import { createMcpTool, makePlugin } from 'parley-mcp';
import * as z from 'zod';
import { Pick } from './pick.view.tsx';
const tool = createMcpTool('pick').description('Picks').parameters(z.object({}))
  .elicits({ it: z.object({ it: z.string() }) })
  .execute(function* (_params, ctx) { return (yield* ctx.elicit.strict('it', { message: 'Which?' })).it; });
export const pick = makePlugin(tool)
  .onElicit({ *it(_request, ctx) { return { action: 'accept', content: { it: yield* ctx.render(Pick, {}) } }; } })
  .build();
`;
const VIEW = `import { sorted } from './sorted.ts';
export function Pick() { return sorted; }
`;

/** What a client says that shows pages. */
const PAGES = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

let folder: string;
let served: Served | undefined;
beforeEach(async () => {
  folder = tempFolder();
  await writeFile(join(folder, 'pick.ts'), TOOL);
  await writeFile(join(folder, 'pick.view.tsx'), VIEW);
});
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});

describe('a view that cannot be built', () => {
  it('is an error of parley check, at its line', async () => {
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [cli, 'check', 'pick.ts'],
        { cwd: folder },
        (_error, _out, text) => resolve({ code: child.exitCode, stderr: text }),
      );
    });
    expect(stderr).toMatch(/^pick\.view\.tsx:1:\d+: error: .*sorted\.ts/m);
    expect(code).toBe(1);
  });

  it('is said by parley serve, and its tool has a page with forms', async () => {
    served = await serveHttp([join(folder, 'pick.ts')], '--no-token');
    const client = new Client({ name: 'pages', version: '1' }, { capabilities: { extensions: PAGES } });
    await client.connect(new StreamableHTTPClientTransport(served.url));
    for (const _ of ['first', 'again']) {
      const { contents } = await client.readResource({ uri: 'ui://parley/pick' });
      expect(contents[0]).toMatchObject({ text: expect.stringContaining('<!doctype html>') });
    }
    await client.close();
    expect(served.stderr()).toMatch(/views cannot be put into pages/);
    expect(served.stderr()).toMatch(/pick\.view\.tsx:1:\d+/);
    expect(await served.stop()).toBe(0);
    served = undefined;
  });
});
