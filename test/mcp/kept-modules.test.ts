import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtCli } from '#test/harness/paths.ts';
import { tempFolder } from '#test/temp-folder.ts';

/*
 * What `parley-mcp serve` builds is kept, and taken the next time: seen by what stands in it.
 */

const TOOL = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { word } from './word';
export const hello = createMcpTool('hello').description('Says hello.').parameters(z.object({})).elicits({})
  .execute(function* () { return word; });
`;

let folder = '';
let tool = '';
let kept = '';
beforeEach(async () => {
  folder = tempFolder();
  tool = join(folder, 'tools', 'hello.ts');
  kept = join(folder, 'cache', 'parley-mcp', 'modules');
  await mkdir(join(folder, 'tools'));
  await writeFile(tool, TOOL);
  await writeFile(join(folder, 'tools', 'word.js'), 'export const word = "first";');
});

/** What the tool says, in a server that is started for that. */
async function says(): Promise<unknown> {
  const client = new Client({ name: 'someone', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli, 'serve', tool],
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  await client.connect(transport);
  try {
    const { content } = await client.callTool({ name: 'hello', arguments: {} });
    return (content as { text: string }[])[0]?.text;
  } finally {
    await client.close();
  }
}

const files = async () => (await readdir(kept)).map((name) => join(kept, name));

/** Puts another word into what is kept, as nobody else can. */
async function mark(word: string): Promise<void> {
  for (const file of await files()) {
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('first', word));
  }
}

describe('modules that are served', () => {
  it('are taken as they were built before, until something is not as it was', async () => {
    expect(await says()).toBe('first');
    expect((await stat(kept)).mode & 0o777).toBe(0o700);
    await mark('kept');
    expect(await says()).toBe('kept');
    // What is found in the place of a file that is in it.
    await writeFile(join(folder, 'tools', 'word.ts'), 'export const word = "second";');
    expect(await says()).toBe('second');
    await writeFile(join(folder, 'tools', 'word.ts'), 'export const word = "third";');
    expect(await says()).toBe('third');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a setting of the compiler comes above them', () => writeFile(join(folder, 'tsconfig.json'), '{}')],
    [
      'a package is installed beside them',
      () => mkdir(join(folder, 'node_modules', 'x'), { recursive: true }),
    ],
    ['others could write what is kept', () => chmod(kept, 0o777)],
    [
      'what is kept is behind a link',
      async () => {
        const [to] = [join(folder, 'elsewhere')];
        await mkdir(to);
        for (const file of await files())
          await writeFile(join(to, file.split('/').at(-1) ?? ''), await readFile(file));
        await rm(kept, { recursive: true });
        await symlink(to, kept);
      },
    ],
    [
      'what is kept is cut off',
      async () => {
        for (const file of await files()) await writeFile(file, (await readFile(file, 'utf8')).slice(0, 500));
      },
    ],
  ])('are built anew where %s', async (_, change) => {
    expect(await says()).toBe('first');
    await mark('kept');
    await change();
    expect(await says()).toBe('first');
  });

  it('are not kept where a file may have changed while they were built', async () => {
    const later = new Date(Date.now() + 60_000);
    await utimes(join(folder, 'tools', 'word.js'), later, later);
    expect(await says()).toBe('first');
    expect(await readdir(kept)).toEqual([]);
  });

  it('take a bounded place', async () => {
    await says();
    const long = new Date(Date.now() - 40 * 86_400_000);
    const lately = new Date(Date.now() - 60_000);
    for (let at = 0; at < 100; at += 1) {
      const file = join(kept, `other-${at}`);
      await writeFile(file, 'x');
      const when = at < 10 ? long : lately;
      await utimes(file, when, when);
    }
    await writeFile(join(folder, 'tools', 'word.js'), 'export const word = "again";');
    expect(await says()).toBe('again');
    const names = await readdir(kept);
    expect(names).toHaveLength(64);
    expect(names.filter((name) => /^other-\d$/.test(name))).toEqual([]);
  });
});
