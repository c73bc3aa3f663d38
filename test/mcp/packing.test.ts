import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { root } from './kit/parley-serve.ts';

const run = promisify(execFile);
const cli = join(root, 'dist', 'cli.js');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);

/** A folder elsewhere, with nothing installed: what is packed has all it needs. */
let folder = '';
beforeAll(async () => {
  folder = tempFolder();
  await mkdir(join(folder, 'shop'));
  await cp(join(root, 'examples', 'workspace', '.parley'), join(folder, 'shop', '.parley'), {
    recursive: true,
  });
});

const parley = (...args: readonly string[]) =>
  run(process.execPath, [cli, ...args], { cwd: join(folder, 'shop') });

/** What the MCP Inspector says to this when it has started the program. */
async function inspect(program: string, ...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(
    bin('mcp-inspector'),
    ['--cli', process.execPath, program, '--method', ...args],
    { cwd: folder, env: { ...process.env, NODE_PATH: '' } },
  );
  return JSON.parse(stdout);
}

describe('parley pack', () => {
  it('writes one file that node runs, and the MCP Inspector lists and calls its tools', async () => {
    const { stdout } = await parley('pack', '.', '--out', '../shop.mjs');
    await expect(parley('pack', '.', '--out', '../shop.mjs')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('write over it with --force'),
    });
    await parley('pack', '.', '--out', '../shop.mjs', '--force');
    expect(stdout).toMatch(/Wrote \.\.\/shop\.mjs \(\d+\.\d MB\): run it with: node/);
    expect(await inspect(join(folder, 'shop.mjs'), 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'word_count' })]),
    });
    const counted = await inspect(
      join(folder, 'shop.mjs'),
      ...['tools/call', '--tool-name', 'word_count', '--tool-arg', 'text=one two'],
    );
    expect(counted).toMatchObject({ structuredContent: { words: 2 } });
  });

  it('writes a bundle that the official tool takes, and whose program the MCP Inspector starts', async () => {
    await parley('pack', '.', '--mcpb', '--author', 'Ada', '--name', 'shop', '--out', '../shop.mcpb');
    const unpacked = join(folder, 'unpacked');
    await run(bin('mcpb'), ['unpack', join(folder, 'shop.mcpb'), unpacked], { cwd: folder });
    expect((await readdir(unpacked)).sort()).toEqual(['manifest.json', 'server']);
    const { stdout } = await run(bin('mcpb'), ['validate', join(unpacked, 'manifest.json')], { cwd: folder });
    expect(stdout).toMatch(/valid|passes/i);
    expect(await inspect(join(unpacked, 'server', 'index.mjs'), 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'word_count' })]),
    });
  });

  it('writes a plugin whose server starts as it says, and whose skill names the tools', async () => {
    await parley('pack', '.', '--plugin', '--name', 'shop', '--out', '../plugins/shop');
    const at = (...path: readonly string[]) => join(folder, 'plugins', 'shop', ...path);
    const json = async (name: string) => JSON.parse(await readFile(at(name), 'utf8'));
    expect(await json('plugin.json')).toMatchObject({ name: 'shop', version: '1.0.0' });
    const { shop } = (await json('mcp.json')).mcpServers;
    expect(shop).toMatchObject({ type: 'stdio', command: 'node' });
    const program = shop.args[0].replace(/^\$\{PLUGIN_ROOT\}/, at());
    expect(await inspect(program, 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'word_count' })]),
    });
    const skill = await readFile(at('skills', 'shop', 'SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\nname: shop\ndescription: "Tools of shop\. Use when /);
    expect(skill).toContain('- `word_count`: ');
  });

  it.runIf(process.platform === 'linux')('says where nothing can be written', async () => {
    const packed = parley('pack', '.', '--out', '/proc/parley/tools/shop.mjs');
    await expect(packed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('/proc/parley') });
  });

  it('refuses a tool that reads files beside its own: they would be missing', async () => {
    const tool = (read: string) => `import { readFileSync } from 'node:fs';
      import { createMcpTool } from 'parley-mcp';
      import { z } from 'zod';
      ${read}
      export const beside = createMcpTool('beside').description('x').parameters(z.object({})).elicits({})
        .execute(function* () { return text; });`;
    await writeFile(join(folder, 'text.md'), 'one two');
    const file = join(folder, 'beside.ts');
    for (const path of ["new URL('./text.md', import.meta.url)", "import.meta.dirname + '/text.md'"]) {
      await writeFile(file, tool(`const text = readFileSync(${path}, 'utf8');`));
      await expect(parley('pack', file, '--out', '../beside.mjs')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /beside\.ts:4:\d+: error: a packed program has no files beside it: import/,
        ),
      });
    }
    await writeFile(file, tool("import text from './text.md';"));
    await parley('pack', file, '--out', '../beside.mjs');
    await rm(join(folder, 'text.md'));
    expect(await inspect(join(folder, 'beside.mjs'), 'tools/call', '--tool-name', 'beside')).toMatchObject({
      content: [{ text: 'one two' }],
    });
  });

  it('says what is wrong with a file, and writes nothing', async () => {
    const failed = await parley('pack', 'missing.ts').catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no such file') });
    expect(await readdir(join(folder, 'shop'))).toEqual(['.parley']);
  });
});

describe('parley new', () => {
  it('makes a tool whose test passes with nothing installed, once', async () => {
    const home = join(folder, 'made');
    await mkdir(home);
    const made = await run(process.execPath, [cli, 'new', 'greet_user'], { cwd: home });
    expect(made.stdout).toContain('Wrote .parley/tools/greet_user.ts');
    const again = await run(process.execPath, [cli, 'new', 'greet_user'], { cwd: home }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    expect((await run(process.execPath, [cli, 'check', '.'], { cwd: home })).stdout).toContain(
      '1 tool: nothing wrong',
    );
    const tested = await run('npm', ['test'], { cwd: join(home, '.parley') });
    expect(tested.stdout).toMatch(/pass [1-9]/);
  });

  it('makes the folder that it is told, and says how to try the tool there', async () => {
    const { stdout } = await run(process.execPath, [cli, 'new', 'greet_user', 'team/shop'], { cwd: folder });
    expect(stdout).toContain(' npx parley-mcp serve team/shop\n');
    expect(stdout).toContain('cd team/shop/.parley && npm test\n');
  });
});

describe('parley doctor', () => {
  it('is served to any client, and says what this one offers', async () => {
    const { stdout } = await run(
      bin('mcp-inspector'),
      ['--cli', process.execPath, cli, 'doctor', '--method', 'tools/call', '--tool-name', 'parley_doctor'],
      { cwd: folder },
    );
    expect(stdout).toContain('What this client does');
  });
});
