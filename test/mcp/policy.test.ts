import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, stdio2025 } from './kit/clients.ts';
import { cli, serveHttp } from './kit/parley-serve.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const adds = join(import.meta.dirname, 'kit', 'calls-foreign.ts');

const RULES = [
  { server: 'every*', tool: 'echo', verdict: 'deny' },
  { tool: 'get-sum', arguments: { a: '13' }, verdict: 'deny' },
  { tool: 'get-env', verdict: 'ask' },
];

let folder = '';
let servers = '';
beforeAll(async () => {
  folder = tempFolder();
  servers = await file('servers', {
    servers: { everything: { command: process.execPath, args: [everything] } },
  });
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, `${name}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('parley serve --policy', () => {
  it.each(inRings<'stdio' | 'http'>(['stdio'], ['http']))(
    'runs what no rule forbids, and nothing else, whoever calls it: over %s',
    async (transport) => {
      const flags = [adds, '--servers', servers, '--policy', await file(`rules-${transport}`, RULES)];
      const client = client2025({});
      const served = transport === 'http' ? await serveHttp(flags) : undefined;
      const headers = { authorization: `Bearer ${served?.token}` };
      await client.connect(
        served
          ? new StreamableHTTPClientTransport(served.url, { requestInit: { headers } })
          : stdio2025(flags),
      );
      try {
        const said = async (name: string, args: Record<string, unknown>) =>
          JSON.stringify(await client.callTool({ name, arguments: args }));
        expect(await said('everything__get-sum', { a: 1, b: 4 })).toContain('5');
        expect(await said('everything__get-sum', { a: 13, b: 4 })).toContain(
          'may not run: the rule “deny: tool get-sum',
        );
        expect(await said('everything__echo', { message: 'hi' })).toContain('may not run');
        expect(await said('everything__get-env', {})).toContain('no user is available to ask');
        // A tool of our own is run, and what it calls is judged.
        expect(await said('add', { a: 2, b: 4 })).toContain('6');
        expect(await said('add', { a: 13, b: 4 })).toContain('may not run');
      } finally {
        await client.close();
        await served?.stop();
      }
    },
  );

  it.each([
    ['that is not there', undefined, 'cannot be read (ENOENT)'],
    ['that is no JSON', '[', 'it is not JSON'],
    ['without a list', { rules: [] }, 'write a list of rules'],
    ['with a rule that cannot be read', [{ tool: 'x', verdict: 'forbid' }], 'a rule cannot be read'],
  ])('does not start with a file %s', async (what, content, problem) => {
    const path = content === undefined ? join(folder, 'none.json') : await file(what, content);
    const child = spawn(process.execPath, [cli, 'serve', '--servers', servers, '--policy', path]);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(said).toContain(problem);
  });

  it('says which rule is about a server that there is not, once it has read both files', async () => {
    const rules = [...RULES, { server: 'everythign', tool: 'echo', verdict: 'deny' }];
    const path = await file('misspelt', `\ufeff${JSON.stringify({ 'parley.policy': rules })}`);
    const child = spawn(process.execPath, [cli, 'serve', '--servers', servers, '--policy', path]);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    child.stdin.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(said).toContain("a rule is about the server 'everythign', which does not exist");
    expect(said).not.toContain("'every*'");
  });
});
