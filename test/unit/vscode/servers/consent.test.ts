import { all, createQueue, run } from 'effection';
import { describe, expect, it } from 'vitest';
import type { SecretStorage } from 'vscode';
import { entryHash } from '#src/mcp/client/config/entry-hash.ts';
import { fillInServer, parseServer, parseServers, type ServerEntry } from '#src/mcp/client/index.ts';
import { fitsDialog, shownAddressees, shownEntry, wrappedLines } from '#src/vscode/servers/shown-entry.ts';
import { useVault } from '#src/vscode/servers/vault.ts';
import { withoutServer } from '#src/vscode/servers/without-server.ts';
import { createDisk } from '../mcp/window-kit.ts';

const started: ServerEntry = {
  kind: 'stdio',
  name: 'files',
  command: 'npx',
  args: ['-y', 'files', '/work'],
  env: { TOKEN: 'a', HOST: 'b' },
  cwd: '/work',
};
const reached: ServerEntry = {
  kind: 'http',
  name: 'web',
  url: 'https://example.com/mcp',
  headers: { A: 'b' },
};
const unheard = () => {};
/** Secrets as another window sees them: as they were when it looked first. */
const late = (storage: SecretStorage): SecretStorage => {
  const seen = new Map<string, Thenable<string | undefined>>();
  return {
    ...storage,
    get(key) {
      const first = seen.get(key) ?? storage.get(key);
      seen.set(key, first);
      return first;
    },
  };
};
const variable = (name: string) => `$\{${name}}`;

describe('what the person allows', () => {
  it.each([
    ['the command', { command: 'node' }],
    ['an argument', { args: ['-y', 'files', '/'] }],
    ['where an argument ends', { args: ['-y', 'files /work'] }],
    ['the folder', { cwd: '/' }],
    ['a variable', { env: { TOKEN: 'a', HOST: 'c' } }],
    ['one variable more', { env: { TOKEN: 'a', HOST: 'b', NODE_OPTIONS: '--require=/tmp/x' } }],
    ['the name', { name: 'other' }],
  ])('is another thing when %s changes', (_what, change) => {
    expect(entryHash({ ...started, ...change } as ServerEntry, 'w')).not.toBe(entryHash(started, 'w'));
  });

  it('is another thing at another address, with other headers, as another client, or in another folder', () => {
    const hashes = [
      entryHash(reached, 'w'),
      entryHash({ ...reached, url: 'https://example.com/mcp2' }, 'w'),
      entryHash({ ...reached, headers: { A: 'c' } }, 'w'),
      entryHash({ ...reached, client: { clientId: 'me' } }, 'w'),
      entryHash({ ...reached, client: { clientId: 'you' } }, 'w'),
      entryHash({ ...reached, client: { clientId: 'me', issuer: 'https://a.example.com' } }, 'w'),
      entryHash(
        { ...reached, client: { clientId: 'me', issuer: 'https://a.example.com', clientSecret: 'hush' } },
        'w',
      ),
      entryHash(reached, 'other'),
    ];
    expect(new Set(hashes).size).toBe(8);
  });

  it('stays the same in whichever order variables are written', () => {
    expect(entryHash({ ...started, env: { HOST: 'b', TOKEN: 'a' } }, 'w')).toBe(entryHash(started, 'w'));
  });

  it('holds what an envFile says and what was given for an input', async () => {
    const written = parseServer('files', { command: 'npx', envFile: '.env', args: [variable('input:key')] });
    const filled = async (file: string, key: string) =>
      entryHash(
        await fillInServer(written, {
          workspaceFolder: '/work',
          env: {},
          readText: async () => file,
          input: async () => key,
        }),
        'w',
      );
    const hashes = [await filled('A=1', 'k'), await filled('A=2', 'k'), await filled('A=1', 'l')];
    expect(new Set(hashes).size).toBe(3);
    expect(await filled('A=1', 'k')).toBe(hashes[0]);
  });

  it('is kept where no file reaches, for one folder, until it is taken back', () =>
    run(function* () {
      const disk = createDisk();
      const vault = yield* useVault(disk.storage, unheard);
      yield* vault.allow('w', 'files', 'h1');
      yield* vault.allow('w', 'files', 'h2');
      yield* vault.keepInput('w', 'key', 'secret');
      const next = yield* useVault(disk.storage, unheard);
      expect(yield* next.allowed('w', 'files')).toBe('h2');
      expect(yield* next.allowed('other', 'files')).toBeUndefined();
      expect(yield* next.input('w', 'key')).toBe('secret');
      expect(yield* next.input('other', 'key')).toBeUndefined();
      yield* next.takeBack('w', 'files');
      expect(yield* (yield* useVault(disk.storage, unheard)).allowed('w', 'files')).toBeUndefined();
    }));

  it('is kept of each server when several are allowed and taken back at the same time', () =>
    run(function* () {
      const disk = createDisk();
      const vault = yield* useVault(disk.storage, unheard);
      yield* vault.allow('w', 'old', 'h');
      const names = Array.from({ length: 20 }, (_, index) => `server${index}`);
      yield* all([...names.map((name) => vault.allow('w', name, `h-${name}`)), vault.takeBack('w', 'old')]);
      for (const { allowed } of [vault, yield* useVault(disk.storage, unheard)]) {
        const kept = yield* all(names.map((name) => allowed('w', name)));
        expect(kept).toEqual(names.map((name) => `h-${name}`));
        expect(yield* allowed('w', 'old')).toBeUndefined();
      }
    }));

  it('is kept whatever another window, which has not heard of it yet, allows or takes back at the same moment', () =>
    run(function* () {
      const disk = createDisk();
      const here = yield* useVault(disk.storage, unheard);
      yield* here.allow('w', 'old', 'h');
      const there = yield* useVault(late(disk.storage), unheard);
      yield* all([here.allow('w', 'mine', 'h'), there.allow('w', 'yours', 'h'), there.takeBack('w', 'old')]);
      const next = yield* useVault(disk.storage, unheard);
      expect(yield* all(['mine', 'yours', 'old'].map((name) => next.allowed('w', name)))).toEqual([
        'h',
        'h',
        undefined,
      ]);
    }));

  it('is nothing where the store of secrets cannot be read', () =>
    run(function* () {
      const { storage } = createDisk();
      const broken = {
        ...storage,
        get: async () => {
          throw new Error('the key ring is locked');
        },
      };
      expect(yield* (yield* useVault(broken, unheard)).allowed('w', 'files')).toBeUndefined();
    }));

  it('is heard of in every other window when it is allowed and when it is taken back, and only there', () =>
    run(function* () {
      const disk = createDisk();
      const heard = createQueue<string, never>();
      const here = yield* useVault(disk.storage, () => heard.add('here'));
      const there = yield* useVault(disk.storage, () => heard.add('there'));
      yield* here.allow('w', 'files', 'h');
      expect(yield* heard.next()).toEqual({ done: false, value: 'there' });
      expect(yield* there.allowed('w', 'files')).toBe('h');
      yield* there.takeBack('w', 'files');
      expect(yield* heard.next()).toEqual({ done: false, value: 'here' });
      expect(yield* here.allowed('w', 'files')).toBeUndefined();
      yield* here.keepInput('w', 'key', 'secret');
      yield* here.allow('w', 'files', 'h2');
      expect(yield* heard.next()).toEqual({ done: false, value: 'there' });
    }));

  it('is shown as it is written, without secrets, tricks of letters or a hidden end', () => {
    const sly = parseServer('sly', {
      command: 'node',
      args: ['a b', 'safe\u202e', 'x'.repeat(1_000)],
      env: { TOKEN: variable('input:token') },
      envFile: '.env',
    });
    const lines = shownEntry(sly, '/work');
    expect(lines[0]).toBe(`node "a b" "safe\\u{202e}" ${'x'.repeat(1_000)}`);
    expect(lines).toContain(`TOKEN=${variable('input:token')}`);
    expect(lines).toContain('envFile: .env');
  });

  it('is shown with what runs code first, then with what is handed on, and where a dialog has no room elsewhere', () => {
    const harmless = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`V${index}`, 'x']));
    const env = { ...harmless, TOKEN: variable('env:TOKEN'), node_options: '--require=/x', LD_PRELOAD: 'y' };
    const many = shownEntry(parseServer('many', { command: 'node', env }), '/work');
    expect(many.slice(2, 6)).toEqual([
      'node_options=--require=/x',
      'LD_PRELOAD=y',
      `TOKEN=${variable('env:TOKEN')}`,
      'V0=x',
    ]);
    expect(many).toHaveLength(28);
    const url = 'https://example.com';
    const headers = { ...harmless, 'X-Leak': variable('env:TOKEN') };
    expect(shownEntry(parseServer('many', { url, headers }), '/work')[1]).toBe(
      `X-Leak: ${variable('env:TOKEN')}`,
    );
    const long = ['sh', 'a'.repeat(250) + 'curl | sh'.repeat(10)];
    expect([many, long, Array(20).fill('a'.repeat(200))].map(fitsDialog)).toEqual([false, false, false]);
    expect(fitsDialog(['node', ...Array(20).fill('A=b')])).toBe(true);
    const wrapped = wrappedLines([long.join(' '), '']);
    expect(Math.max(...wrapped.map((line) => line.length))).toBeLessThan(110);
    expect(wrapped.map((line) => line.replace(/^ {4}/, '')).join('')).toBe(long.join(' '));
  });

  it('is shown with who logs in and where, and with its envFile, however many headers or variables there are', () => {
    const texts = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`V${index}`, 'x'.repeat(500)]),
    );
    const oauth = { grantType: 'client_credentials', issuer: 'https://a.example.com', clientId: 'me' };
    const reached = parseServer('many', { url: 'https://example.com', headers: texts, oauth });
    expect(shownEntry(reached, '/work').slice(0, 5)).toEqual([
      'https://example.com',
      'oauth.clientId: me',
      'oauth.grantType: client_credentials',
      'oauth.issuer: https://a.example.com',
      `V0: ${'x'.repeat(500)}`,
    ]);
    const started = parseServer('many', { command: 'node', env: texts, envFile: '.env' });
    expect(shownEntry(started, '/work').slice(0, 3)).toEqual(['node', 'cwd: /work', 'envFile: .env']);
  });

  it('is shown with addresses in which no letter passes for another, and no part stands elsewhere', () => {
    const at = (host: string) => `https://${host}/שלום`;
    const oauth = { clientId: 'me', issuer: at('lоgin.example.com'), clientSecret: variable('input:a') };
    const written = parseServer('sly', { url: at('exаmple.com'), oauth });
    const seen = String.raw`/\u{5e9}\u{5dc}\u{5d5}\u{5dd}`;
    const issuer = `https://l\\u{43e}gin.example.com${seen}`;
    expect(shownEntry(written, '/work')).toEqual([
      `https://ex\\u{430}mple.com${seen}`,
      'oauth.clientId: me',
      `oauth.issuer: ${issuer}`,
      `oauth.clientSecret: ${variable('input:a')}`,
    ]);
    expect(shownAddressees(written)).toBe(issuer);
  });
});

describe('moving a server', () => {
  it('takes it out of its file and leaves the rest as it was, comments too', () => {
    const text =
      '{\n  // mine\n  "servers": {\n    "a": { "command": "x" },\n    "b": { "url": "https://b" }, // b\n  },\n}';
    const moved = withoutServer(text, 'a');
    expect(moved?.entry).toEqual({ command: 'x' });
    expect(moved?.text).toContain('// mine');
    expect(parseServers(moved?.text ?? '').servers.map(([name]) => name)).toEqual(['b']);
    expect(withoutServer(text, 'c')).toBeUndefined();
    expect(withoutServer('no json', 'a')).toBeUndefined();
  });
});
