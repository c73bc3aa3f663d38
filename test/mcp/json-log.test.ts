import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { serveHttp } from './kit/parley-serve.ts';
import { ask } from './kit/wire.ts';

const loud = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const shouts = createMcpTool('shouts').description('Prints').parameters(z.object({})).elicits({})
  .execute(function* () {
    console.error('printed by a tool\\nand {"level":"error"}');
    setTimeout(() => { throw new Error('nobody\\ncatches this'); });
    return 'done';
  });
`;

it.each([
  ['host', 'catches this'],
  ['worker', 'printed by a tool'],
])(
  'a server that logs in JSON writes nothing else on stderr, whatever tools in a %s print and throw',
  async (isolation, last) => {
    const folder = tempFolder();
    const module = join(folder, 'shouts.ts');
    await writeFile(module, loud);
    const served = await serveHttp([module], '--no-token', '--isolation', isolation, '--log-format', 'json');
    try {
      await ask(served.url, 'tools/call', { name: 'shouts', arguments: {} });
      await vi.waitFor(() => expect(served.stderr()).toContain(last), 20_000);
      await vi.waitFor(() => expect(served.stderr()).toContain('printed by a tool'), 20_000);
    } finally {
      await served.stop();
    }
    const lines = served.stderr().split('\n').slice(0, -1);
    const told: { level: string; message: string }[] = lines.map((line) => JSON.parse(line));
    for (const one of told)
      expect(one).toMatchObject({ time: expect.any(String), level: expect.any(String) });
    expect(told.filter(({ level }) => level === 'info').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['printed by a tool', 'and {"level":"error"}']),
    );
  },
);
