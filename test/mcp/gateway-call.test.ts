import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, stdio2025 } from './kit/clients.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const tool = join(import.meta.dirname, 'kit/calls-foreign.ts');

it.each(inRings(['worker'], ['host']))(
  'a tool of one’s own calls a tool of a server by its name, in isolation %s',
  async (isolation) => {
    const folder = tempFolder();
    const file = join(folder, 'mcp.json');
    const client = client2025();
    try {
      const server = { command: process.execPath, args: [everything] };
      await writeFile(file, JSON.stringify({ servers: { everything: server } }));
      await client.connect(stdio2025([tool, '--servers', file, '--isolation', isolation]));
      // Clients are answered before servers that are slow to start are there.
      await vi.waitFor(
        async () =>
          expect((await client.listTools()).tools).toContainEqual(
            expect.objectContaining({ name: 'everything__get-sum' }),
          ),
        { timeout: 60_000 },
      );
      const called = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
      expect(called).not.toMatchObject({ isError: true });
      expect(JSON.stringify(called)).toContain('The sum of 2 and 3 is 5');
    } finally {
      await client.close();
    }
  },
  120_000,
);
