import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseServers, readServers, ServersFileError } from '#src/mcp/client/index.ts';

const variable = (name: string) => ['$', '{', name, '}'].join('');

const around = {
  workspaceFolder: '/project',
  env: { TOKEN: 'secret', EMPTY: undefined },
  readText: async (path: string) => {
    if (path !== '/project/.env') throw new Error('no such file');
    return 'A=file\nB="two words"\n# C=comment\nexport D=4\n';
  },
};

const read = (entry: object, surroundings: Parameters<typeof readServers>[1] = around) =>
  readServers(JSON.stringify({ servers: { one: entry } }), surroundings);

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServersFileError);
  return (error as Error).message;
}

describe('a file of servers', () => {
  it('is read with comments, in both spellings, without what is disabled', async () => {
    const text = `{ // mine
      "servers": { "a": { "command": "x" }, "off": { "command": "x", "disabled": true } },
      "mcpServers": { "b": { "url": "https://example.com/mcp", "timeout": 5, "listed": false }, "c": { "command": "x", "listed": true } },
    }`;
    expect(await readServers(text, around)).toEqual([
      { kind: 'http', name: 'b', url: 'https://example.com/mcp', headers: {}, timeout: 5, unlisted: true },
      { kind: 'stdio', name: 'c', command: 'x', args: [], env: {}, cwd: '/project' },
      { kind: 'stdio', name: 'a', command: 'x', args: [], env: {}, cwd: '/project' },
    ]);
  });

  it('has the other servers where an entry is wrong, for who shows each by itself', async () => {
    const text = JSON.stringify({ servers: { a: { command: 3 }, b: { command: 'x' } } });
    const { servers, unreadable } = parseServers(text);
    expect(servers.map(([name]) => name)).toEqual(['b']);
    expect(unreadable).toEqual([{ name: 'a', problem: expect.any(ServersFileError) }]);
    expect(parseServers('{ "inputs": [] }')).toMatchObject({ servers: [], none: true });
    expect(await refusal(readServers('{}', around))).toContain("neither 'servers' nor 'mcpServers'");
  });

  it('has its variables filled in, everywhere', async () => {
    const [entry] = await read({
      command: `${variable('workspaceFolder')}/run`,
      args: [variable('userHome'), `a${variable('env:TOKEN')}b${variable('env:TOKEN')}`, variable('/')],
      env: { KEY: variable('env:TOKEN'), COUNT: 3, NONE: null },
      cwd: `${variable('workspaceFolder')}/sub`,
    });
    expect(entry).toEqual({
      kind: 'stdio',
      name: 'one',
      command: '/project/run',
      args: [homedir(), 'asecretbsecret', expect.stringMatching(/^[\\/]$/)],
      env: { KEY: 'secret', COUNT: '3' },
      cwd: '/project/sub',
    });
  });

  it('takes nothing for a variable of the environment that is not set, whatever objects inherit', async () => {
    const names = ['NOT_SET', 'EMPTY', 'constructor', '__proto__', 'toString'];
    const [entry] = await read({ command: 'x', args: names.map((name) => variable(`env:${name}`)) });
    expect(entry).toMatchObject({ args: names.map(() => '') });
  });

  it('fills in once: a value that looks like a variable is a value', async () => {
    const env = { ...around.env, TRICK: variable('env:TOKEN') };
    const [entry] = await read({ command: 'x', args: [variable('env:TRICK')] }, { ...around, env });
    expect(entry).toMatchObject({ args: [variable('env:TOKEN')] });
  });

  it('asks for inputs, and is refused without an answer', async () => {
    const url = 'https://example.com/mcp';
    const headers = { Authorization: `Bearer ${variable('input:key')}` };
    const [entry] = await read({ url, headers }, { ...around, input: async (id) => `<${id}>` });
    expect(entry).toMatchObject({ headers: { Authorization: 'Bearer <key>' } });
    const nobody = read({ url, headers }, { ...around, input: async () => undefined });
    expect(await refusal(nobody)).toContain("the server 'one', headers.Authorization: no value was given");
    expect(await refusal(read({ url, headers }))).toContain('only in the editor');
  });

  it('takes what its envFile says, under what its env says', async () => {
    const envFile = `${variable('workspaceFolder')}/.env`;
    const [entry] = await read({ command: 'x', envFile, env: { A: 'entry' } });
    expect(entry).toMatchObject({ env: { A: 'entry', B: 'two words', D: '4' } });
    expect(await refusal(read({ command: 'x', envFile: 'none' }))).toContain("'none' cannot be read");
  });

  it('is refused for what is no header, without saying what may be a secret', async () => {
    const url = 'https://example.com/mcp';
    const env = { BROKEN: 'secret\r\nX-Other: 1' };
    const split = read({ url, headers: { Key: variable('env:BROKEN') } }, { ...around, env });
    const said = await refusal(split);
    expect(said).toContain("the server 'one', headers.Key: this is no header");
    expect(said).not.toContain('secret');
    expect(await refusal(read({ url, headers: { 'a b': 'c' } }))).toContain('this is no header');
  });

  it('is refused with a sentence for an entry that says two things, or none that can be', async () => {
    expect(await refusal(read({ command: 'x', url: 'http://x' }))).toContain('a command and a url');
    expect(await refusal(read({ url: 'file:///etc/passwd' }))).toContain('not an http or https address');
    expect(await refusal(read({ command: 3 }))).toMatch(/the server 'one': command: must be text/);
    expect(await refusal(read({ command: 'x', args: [variable('command:rm')] }))).toContain(
      'is not available here',
    );
    expect(await refusal(readServers('{"servers":{"":{"command":"x"}}}', around))).toContain(
      'cannot name a server',
    );
  });
});

it.each([
  ['turns around', 'git\u202ebuh'],
  ['breaks the line', 'git\n\n\nAllow'],
  ['hides a sign', 'git\u200b'],
  ['begins with nothing', ' git'],
  ['goes on and on', 'g'.repeat(101)],
])(
  'a name that %s names no server: a person reads it where they allow what it stands for',
  async (_what, name) => {
    await expect(
      readServers(JSON.stringify({ servers: { [name]: { command: 'x' } } }), around),
    ).rejects.toThrow('cannot name a server');
  },
);
