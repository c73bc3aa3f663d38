import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtCli } from '#test/harness/paths.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { bookFlight } from './kit/parley-serve.ts';

let home: string;
beforeEach(() => {
  home = tempFolder();
});

async function setup(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const child = spawn(process.execPath, [builtCli, 'setup', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await said;
  return { code, stdout, stderr };
}

const at = (...path: readonly string[]) => readFileSync(join(home, ...path), 'utf8');

describe('parley-mcp setup', () => {
  it('starts the server, writes it into the agent’s file, and removes it again', async () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":7}');
    const wrote = await setup('claude');
    expect(wrote).toMatchObject({ code: 0, stderr: '' });
    expect(wrote.stdout).toMatch(/Started as Claude Code starts it, it has \d+ tools: .*ask_user/);
    const { numStartups, mcpServers } = JSON.parse(at('.claude.json'));
    expect([numStartups, mcpServers.parley.command]).toEqual([7, process.execPath]);
    expect((await setup('claude')).stdout).toContain('has this entry already');
    expect((await setup('claude', '--remove')).stdout).toContain('Removed');
    expect(JSON.parse(at('.claude.json'))).toEqual({ numStartups: 7, mcpServers: {} });
  });

  it('writes tools of a module, by its whole path, as Codex reads it', async () => {
    expect(await setup('codex', bookFlight, '--name', 'flights')).toMatchObject({ code: 0 });
    expect(at('.codex', 'config.toml')).toContain('[mcp_servers.flights]\n');
    expect(at('.codex', 'config.toml')).toContain(`"serve",${JSON.stringify(bookFlight)}`);
  });

  it('writes nothing when the server does not start', async () => {
    const { code, stderr } = await setup('copilot', join(home, 'none.ts'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Nothing was written: the server does not start'),
    ]);
    expect(() => at('.copilot', 'mcp-config.json')).toThrow();
  });

  it('leaves a broken configuration as it is', async () => {
    writeFileSync(join(home, '.claude.json'), '{"a":');
    expect(await setup('claude')).toMatchObject({ code: 1, stderr: expect.stringContaining('is as it was') });
    expect(at('.claude.json')).toBe('{"a":');
  });

  it.each(['opencode', 'gemini'])('prints what to add for %s, and changes no file', async (agent) => {
    const { code, stdout } = await setup(agent);
    expect([code, stdout]).toEqual([0, expect.stringContaining('"parley": {')]);
    expect(() => at('.config')).toThrow();
  });

  it('names the agents that it knows when it is asked for another', async () => {
    expect(await setup('emacs')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('vscode, claude'),
    });
  });
});
