import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Operation, until } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentSetups } from '#src/cli/setup/agents.ts';
import { entryText } from '#src/cli/setup/entry-text.ts';
import { connectClient } from '#src/vscode/agents/mcp/connect-client.ts';
import { ExtensionHome } from '#src/vscode/contexts.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { connect, inWindow, type TestWindow } from './window-kit.ts';

/** What the person is shown, and which button they press; what they do before it. */
const editor = vi.hoisted(() => ({
  shown: [] as string[],
  copied: '',
  press: (_text: string): string | undefined => undefined,
}));
vi.mock('vscode', () => {
  const show = async (text: string, ...more: (string | { detail?: string })[]) => {
    const detail = more.map((one) => (typeof one === 'string' ? '' : one.detail)).join('');
    editor.shown.push(`${text} ${detail}`.trim());
    const button = editor.press(text);
    return more.includes(button ?? '') ? button : undefined;
  };
  return {
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at) => values[at] ?? ''),
    },
    env: {
      clipboard: {
        writeText: async (text: string) => {
          editor.copied = text;
        },
      },
    },
    workspace: { name: 'My Shop' },
    window: { showInformationMessage: show, showErrorMessage: show },
  };
});

let home = '';
beforeEach(() => {
  home = tempFolder();
  vi.stubEnv('HOME', home);
  for (const name of ['CLAUDE_CONFIG_DIR', 'COPILOT_HOME', 'CODEX_HOME']) vi.stubEnv(name, undefined);
  editor.shown = [];
  editor.copied = '';
  editor.press = (text) => (text.startsWith('Add the tools') ? 'Add Server' : 'Remove Server');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The command in a window whose person has this home. */
const commandIn = (test: (choose: (id: string) => Operation<void>, window: TestWindow) => Operation<void>) =>
  inWindow(function* (window) {
    const storage = join(home, 'User', 'globalStorage', 'parley.parley-mcp');
    const parts = yield* ExtensionHome.expect();
    yield* ExtensionHome.set({
      ...parts,
      globalStorageUri: { scheme: 'file', fsPath: storage },
    } as typeof parts);
    yield* test((id) => connectClient(window.server, id), window);
  });

const files = {
  claude: '.claude.json',
  copilot: '.copilot/mcp-config.json',
  codex: '.codex/config.toml',
  vscode: 'User/mcp.json',
} as const;
const read = (file: string) => readFileSync(join(home, file), 'utf8');
function* write(file: string, text: string) {
  yield* until(mkdir(dirname(join(home, file)), { recursive: true }));
  writeFileSync(join(home, file), text, { mode: 0o644 });
}
/** Address and token, however the agent has them written. */
const endpointIn = (text: string) => ({
  url: /"(http:[^"]+)"/.exec(text)?.[1] ?? '',
  token: /Bearer ([^"]+)"/.exec(text)?.[1] ?? '',
});

describe('Connect Another MCP Client…', () => {
  it.each(Object.entries(files))(
    'adds to %s what it then reaches the tools by, and removes it again',
    (id, file) =>
      commandIn(function* (choose) {
        const mine = id === 'codex' ? 'model = "x"' : '"mine": 1';
        yield* write(file, id === 'codex' ? mine : `{${mine}}`);
        yield* choose(id);
        expect(editor.shown[0]).toMatch(/Add the tools .*“parley-my-shop” to .*contains a token/);
        expect(editor.shown[1]).toContain('it answered with 2 tools');
        expect(read(file)).toContain('parley-my-shop');
        expect(read(file)).toContain(mine);
        expect(statSync(join(home, file)).mode & 0o077).toBe(0);
        const client = yield* until(connect(endpointIn(read(file))));
        expect((yield* until(client.listTools())).tools).toHaveLength(2);
        const had = endpointIn(read(file));
        yield* choose(id);
        expect(editor.shown.at(-1)).toContain('Its token no longer works.');
        expect(read(file)).not.toContain('parley-my-shop');
        yield* until(expect(connect(had)).rejects.toThrow());
      }),
  );

  it('changes nothing and gives no access when the person does not agree', () =>
    commandIn(function* (choose, { server }) {
      editor.press = () => undefined;
      yield* choose('claude');
      expect(() => read(files.claude)).toThrow();
      expect(yield* server.clients()).toEqual([]);
    }));

  it('leaves another server of that name, and adds its own beside it', () =>
    commandIn(function* (choose) {
      yield* write(files.claude, '{"mcpServers":{"parley-my-shop":{"command":"theirs"}}}');
      yield* choose('claude');
      const { mcpServers } = JSON.parse(read(files.claude));
      expect(Object.keys(mcpServers)).toEqual(['parley-my-shop', 'parley-my-shop-2']);
      expect(mcpServers['parley-my-shop']).toEqual({ command: 'theirs' });
    }));

  it('writes an entry anew whose token was revoked', () =>
    commandIn(function* (choose, { server }) {
      yield* choose('codex');
      yield* server.shutOut();
      const stale = endpointIn(read(files.codex));
      yield* choose('codex');
      expect(read(files.codex).match(/parley-my-shop/g)).toHaveLength(1);
      expect(endpointIn(read(files.codex)).token).not.toBe(stale.token);
    }));

  it('says of a broken configuration what is wrong before it asks, and copies instead', () =>
    commandIn(function* (choose) {
      yield* write(files.claude, '{"a":');
      editor.press = () => 'Copy Configuration';
      yield* choose('claude');
      expect(editor.shown[0]).toMatch(/\.claude\.json is as it was: it is not JSON/);
      expect(JSON.parse(editor.copied).mcpServers['parley-my-shop'].type).toBe('http');
      expect(read(files.claude)).toBe('{"a":');
    }));

  it('takes the access back when the file broke while the person was asked', () =>
    commandIn(function* (choose, { server }) {
      editor.press = () => {
        writeFileSync(join(home, files.claude), '{');
        return 'Add Server';
      };
      yield* choose('claude');
      expect(editor.shown.at(-1)).toContain('is as it was');
      expect([read(files.claude), yield* server.clients()]).toEqual(['{', []]);
    }));

  it('writes no entry that it could not note: nothing would take a revoked token out of it', () =>
    commandIn(function* (choose, { server }) {
      const parts = yield* ExtensionHome.expect();
      writeFileSync(join(home, 'full'), '');
      const storageUri = { scheme: 'file', fsPath: join(home, 'full', 'state') };
      yield* ExtensionHome.set({ ...parts, storageUri } as typeof parts);
      let failed = false;
      try {
        yield* choose('claude');
      } catch {
        failed = true;
      }
      expect(failed).toBe(true);
      expect(() => read(files.claude)).toThrow();
      expect(yield* server.clients()).toEqual([]);
    }));

  it.each([...agentSetups.filter(({ byHand }) => byHand).map(({ id }) => id), 'other'])(
    'copies the entry for %s, whose file is left to the person',
    (id) =>
      commandIn(function* (choose) {
        yield* choose(id);
        expect(editor.shown).toEqual([expect.stringContaining('Copied the configuration')]);
        const client = yield* until(connect(endpointIn(editor.copied)));
        yield* until(client.close());
      }),
  );
});

it('an entry of Codex is TOML, with the headers under the name that it reads', () => {
  const codex = agentSetups.find(({ id }) => id === 'codex');
  const entry = codex?.remote({ url: 'http://127.0.0.1:4321/mcp', token: 's3cret' });
  expect(entryText({ format: 'toml', servers: ['mcp_servers'], name: 'parley' }, entry ?? {})).toBe(
    [
      '[mcp_servers.parley]',
      'url = "http://127.0.0.1:4321/mcp"',
      'http_headers = { Authorization = "Bearer s3cret" }',
      '',
    ].join('\n'),
  );
});
