import { run, sleep, spawn } from 'effection';
import { expect, it, vi } from 'vitest';
import { type ServerConnection, useMcpConnection } from '#src/mcp/client/index.ts';
import type { ServerRow, ServerState } from '#src/vscode/servers/server-book.ts';

const shown = vi.hoisted(() => ({ messages: [] as string[], press: '', did: [] as unknown[] }));

vi.mock('vscode', () => ({
  l10n: {
    t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? ''),
  },
  window: {
    async showErrorMessage(message: string) {
      shown.messages.push(message);
      return shown.press;
    },
    async showTextDocument(file: unknown) {
      shown.did.push(file);
    },
  },
  ThemeIcon: class {
    readonly id: string;
    constructor(id: string) {
      this.id = id;
    }
  },
  TreeItem: class {},
  TreeItemCollapsibleState: { Collapsed: 1, Expanded: 2 },
}));

const { sayNotStarted } = await import('#src/vscode/servers/say-not-started.ts');
const { serverItem } = await import('#src/vscode/authoring/tools/server-item.ts');

const row = { name: 'broken', place: 'file', local: true } as const;
const nothing = { kind: 'stdio', name: 'broken', command: '/nope/nothing', args: [], env: {} } as const;

it('a server whose program is not there says so, and when it is tried again', () =>
  run(function* () {
    const connection = yield* useMcpConnection(nothing);
    yield* failed(connection);
    expect(connection.state()).toEqual({
      kind: 'waiting',
      why: '/nope/nothing was not found',
      pause: 1000,
    });
    const elsewhere = yield* useMcpConnection({ ...nothing, command: process.execPath, cwd: '/nope' });
    yield* failed(elsewhere);
    expect(elsewhere.state()).toMatchObject({ why: '/nope was not found' });
  }));

it('a server that the person does not log in at is not tried again by itself', () =>
  run(function* () {
    const login = { provider: {}, refused: true } as never;
    const connection = yield* useMcpConnection(nothing, { login });
    yield* failed(connection);
    expect(connection.state()).toEqual({ kind: 'waiting', why: '/nope/nothing was not found' });
  }));

it('a person who started a server hears why it did not start', () =>
  run(function* () {
    const found = { file: 'mcp.json' };
    const log = { show: () => void shown.did.push('log') };
    let state: ServerState = { kind: 'connecting' };
    let tell = () => {};
    const subscribe = (listener: () => void) => {
      tell = listener;
      return () => {};
    };
    // Its row, its log and its file are all that is looked at.
    const unit = {
      found,
      log,
      get row() {
        return { ...row, state };
      },
    } as never;
    for (const press of ['Show Log', 'Open mcp.json']) {
      shown.press = press;
      state = { kind: 'connecting' };
      const telling = yield* spawn(() => sayNotStarted(unit, { subscribe }));
      yield* sleep(0);
      expect(shown.messages).toHaveLength(shown.did.length);
      state = { kind: 'waiting', why: '/nope/nothing was not found', pause: 1000 };
      tell();
      yield* telling;
    }
    expect(shown.messages[0]).toBe('Could not start “broken”: /nope/nothing was not found');
    expect(shown.did).toEqual(['log', 'mcp.json']);
    state = { kind: 'ready', era: '2025' };
    yield* sayNotStarted(unit, { subscribe });
    expect(shown.messages).toHaveLength(2);
  }));

it('the row of a server says when it is tried again, and is open where it was started', () => {
  const waiting: ServerRow = { ...row, state: { kind: 'waiting', why: 'it ended with 1', pause: 8000 } };
  expect(serverItem(waiting)).toMatchObject({
    description: 'cannot start · retrying in 8 s',
    tooltip: 'cannot start · retrying in 8 s\nit ended with 1',
    contextValue: 'parley.server.connecting.file',
  });
  expect(serverItem({ name: 'far', place: 'file', state: waiting.state }).description).toBe(
    'cannot connect · retrying in 8 s',
  );
  const ready: ServerRow = { ...row, state: { kind: 'ready', era: '2025' } };
  const started = serverItem({ ...ready, started: true });
  expect([serverItem(ready).collapsibleState, started.collapsibleState]).toEqual([1, 2]);
  // The editor keeps a row of the same id as closed as it was.
  expect(started.id).not.toBe(serverItem(ready).id);
});

it('the row of a server that waits for a login leads to its page', () => {
  expect(serverItem({ ...row, state: { kind: 'loggedOut', why: '' } })).toMatchObject({
    description: 'log in to use it',
    iconPath: { id: 'key' },
    contextValue: 'parley.server.login.file',
    command: { command: 'parley.logInToServer', arguments: ['broken'] },
  });
});

function* failed(connection: Pick<ServerConnection, 'client'>) {
  try {
    yield* connection.client();
  } catch {}
}
