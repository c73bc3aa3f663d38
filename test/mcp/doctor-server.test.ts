import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startServer } from './kit/in-process.ts';
import { cli, root } from './kit/parley-serve.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const example = join(root, 'examples/workspace/.parley/tools/word-count.ts');
const kit = (name: string) => join(import.meta.dirname, 'kit', name);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `parley doctor --server` with these arguments, as people type them. */
async function examine(...args: readonly string[]): Promise<Ended> {
  const ran = promisify(execFile)(process.execPath, [cli, 'doctor', '--server', ...args]);
  return await ran.then(
    (said) => ({ code: 0, ...said }),
    (failed: Ended) => failed,
  );
}

describe('parley doctor --server', () => {
  it('says of a server of 2025 what it speaks, offers and gives, and how fast', async () => {
    const { stdout, code } = await examine(process.execPath, '--', everything);
    expect(stdout).toContain('speaks 2025-11-25 and before; with Parley it speaks `2025-11-25`');
    expect(stdout).toMatch(/It says that it can: `\{.*"tools":/);
    expect(stdout).toMatch(
      /It offers \d\d tools, [1-9] prompts, [1-9]\d* resources, [1-9] resource templates/,
    );
    expect(stdout).toMatch(/Content that came: `text`, .*`text text\/markdown`/);
    expect(stdout).toMatch(/\| Connect, and list all \| speaks 2025 \| \d+\.\d\d s \|/);
    expect(stdout).toMatch(/\| List the tools again \| answered \| \d+\.\d\d s \|/);
    expect(stdout).not.toContain(everything);
    expect(code).toBe(0);
  });

  it('says of a server of 2026 only that nothing older is understood', { tags: 'long' }, async () => {
    const { stdout } = await examine(process.execPath, '--', kit('modern-server.ts'), example);
    expect(stdout).toContain('speaks 2026-07-28; with Parley it speaks `2026-07-28`');
    expect(stdout).toContain('It offers 1 tool, ');
    expect(stdout).toMatch(/\| Connect as a client of 2025-11-25 \| failed: .*2026-07-28 only/);
  });

  it('says of a server at an address that it speaks both', async () => {
    const server = await startServer({ tools: [] });
    const { stdout } = await examine(server.url.href);
    expect(stdout).toContain('speaks 2025-11-25 and before, and 2026-07-28;');
    expect(stdout).not.toContain(server.url.port);
  });

  it('lets nothing of a hostile server pass for lines of its own', async () => {
    const { stdout } = await examine(process.execPath, '--', kit('hostile-server.ts'));
    for (const hostile of ['\u202E', '\0', '<img']) expect(stdout).not.toContain(hostile);
    expect(stdout).toContain('# What this server does');
  });

  it('says why there is none to examine', async () => {
    const { code, stdout, stderr } = await examine('no-such-command');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^parley-mcp: .*no-such-command/);
  });
});
