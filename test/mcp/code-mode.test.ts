import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpTool } from 'parley-mcp';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createCodeMode } from '#src/code/code-mode.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { sharedEngine } from '../unit/code/code-kit.ts';
import { client2025, stdio2025 } from './kit/clients.ts';
import { bothEras } from './kit/edge.ts';
import { startServer } from './kit/in-process.ts';
import { bookFlight } from './kit/parley-serve.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

const FORM = z.object({ properties: z.object({ run: z.object({ default: z.array(z.string()) }) }) });

const folder = tempFolder();

const engine = sharedEngine();

const shelves = Array.from({ length: 500 }, (_, index) =>
  createMcpTool(`shelf_${index}`)
    .description(`Counts what is on shelf ${index}`)
    .parameters(z.object({ of: z.string().describe('What to count') }))
    .output(z.object({ count: z.int() }))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {
      return { count: index };
    }),
);

it('is three tools for a catalogue of 500, in both eras; the others are found, declared, called by code, and by name', async () => {
  const mode = createCodeMode({
    *engine() {
      return engine();
    },
  });
  const running = await startServer({ tools: shelves, progressive: { code: () => mode } });
  for (const client of await bothEras(running.url)) {
    const call = async (name: string, args: object) => {
      const { content } = await client.request('tools/call', { name, arguments: args });
      return content[0].text as string;
    };
    const { tools } = await client.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'describe_tool',
      'execute_code',
      'search_tools',
    ]);
    expect(JSON.stringify(tools).length).toBeLessThan(6000);
    expect(JSON.parse(await call('search_tools', { query: 'shelf 321' })).tools[0].name).toBe('shelf_321');
    expect(await call('describe_tool', { names: ['shelf_321', 'nobody'] })).toBe(
      'declare const tools: {\n  /** Counts what is on shelf 321 */\n  shelf_321(args: {\n    /** What to count */\n' +
        '    of: string;\n  }): Promise<{\n    count: number;\n  }>;\n};\n\n' +
        "// there is no tool 'nobody'. Find the right name with search_tools.",
    );
    const code = `
      const shelves: string[] = Array.from({ length: 20 }, (_, n) => 'shelf_' + n * 10);
      const counts = await Promise.all(shelves.map((shelf) => tools[shelf]({ of: 'books' })));
      return counts.reduce((sum, { count }) => sum + count, 0);`;
    expect(JSON.parse(await call('execute_code', { code }))).toMatchObject({ status: 'done', result: 1900 });
    expect(JSON.parse(await call('shelf_7', { of: 'books' }))).toEqual({ count: 7 });
  }
});

it('lets code use the servers of parley serve --servers --code: what is not known to read is a list to untick', async () => {
  const file = join(folder, 'mcp.json');
  const servers = { everything: { command: process.execPath, args: [everything] } };
  await writeFile(file, JSON.stringify({ servers }));
  const client = client2025();
  client.registerCapabilities({ elicitation: { form: {} } });
  const asked: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const { run } = z.object({ requestedSchema: FORM }).parse(params).requestedSchema.properties;
    asked.push(params.message);
    return { action: 'accept', content: { run: run.default.slice(0, 2) } };
  });
  await client.connect(stdio2025(['--servers', file, '--code', bookFlight]));
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['describe_tool', 'execute_code', 'search_tools']);
    const code = `
      const sums = await Promise.allSettled([1, 2, 3].map((a) => tools['everything__get-sum']({ a, b: 1 })));
      return sums.map((one) => one.value ?? one.reason.code);`;
    const result = await client.callTool({ name: 'execute_code', arguments: { code } }, CallToolResultSchema);
    const [block] = result.content as { text: string }[];
    expect(JSON.parse(block?.text ?? '')).toMatchObject({
      status: 'done',
      result: [expect.stringContaining('2'), expect.stringContaining('3'), 'NOT_APPROVED'],
      calls: [{ outcome: 'ran' }, { outcome: 'ran' }, { outcome: 'refused' }],
    });
    expect(asked).toEqual([expect.stringContaining('3 calls that can make changes')]);
  } finally {
    await client.close();
  }
}, 60_000);
