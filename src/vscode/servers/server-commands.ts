import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import type { Lazy } from '../calls/lazy.ts';
import { inform } from '../calls/notices/inform.ts';
import { pickOne } from '../calls/pick/pick-one.ts';
import { plainItem } from '../calls/pick/plain-item.ts';
import { type CommandId, commands } from '../ids.ts';
import { useCommand } from '../use-command.ts';
import type { WindowServers } from './keep-servers.ts';
import type { ServerBook, ServerRow } from './server-book.ts';

type Book = ServerBook<WindowServers>;

/** Commands on servers: for a row of the Tools view, by a server's name, or for one that is picked. */
export function* useServerCommands(book: Book, desk: Lazy<CallDesk>): Operation<void> {
  function* on(argument: unknown, { fits, none, act }: ServerAction): Operation<void> {
    const name = nameOf(argument) ?? (yield* pickServer(book, fits, none));
    if (name === undefined) return;
    const keeper = book.keeper();
    // It may be gone since its row was drawn, or the list was opened.
    if (keeper?.unit(name)) yield* act(keeper, name);
    else inform(vscode.l10n.t('The MCP server “{0}” no longer exists.', name));
  }
  const runs = ({ state: { kind } }: ServerRow) =>
    ['connecting', 'ready', 'waiting', 'loggedOut'].includes(kind);
  const noneRuns = vscode.l10n.t('No MCP server in this window is running.');
  const actions: Readonly<Partial<Record<CommandId, ServerAction>>> = {
    [commands.startServer]: {
      fits: (row) => !runs(row),
      none: vscode.l10n.t('All MCP servers in this window are already running.'),
      act: (keeper, name) => keeper.start(name),
    },
    [commands.stopServer]: { fits: runs, none: noneRuns, act: (keeper, name) => keeper.stop(name) },
    [commands.restartServer]: { fits: runs, none: noneRuns, act: (keeper, name) => keeper.restart(name) },
    [commands.logInToServer]: {
      fits: ({ state }) => state.kind === 'loggedOut',
      none: vscode.l10n.t('No MCP server of this window waits for a login.'),
      *act(keeper, name) {
        keeper.logIn(name);
      },
    },
    [commands.forgetServer]: {
      fits: isKnown,
      none: vscode.l10n.t('No MCP server in this window is allowed to run.'),
      *act(keeper, name) {
        yield* keeper.takeBack(name);
        const done = vscode.l10n.t('“{0}” is no longer allowed to run.', plainItem(name));
        vscode.window.setStatusBarMessage(done, 5_000);
      },
    },
    [commands.showServerLog]: {
      fits: () => true,
      none: '',
      *act(keeper, name) {
        keeper.showLog(name);
      },
    },
    [commands.useServer]: {
      fits: ({ state }) => state.kind === 'ready',
      none: vscode.l10n.t('No MCP server in this window is connected.'),
      *act(keeper, name) {
        const { runOffer } = yield* fromThenable(import('./run-offer.ts'));
        yield* runOffer(keeper, name, desk);
      },
    },
    [commands.moveServer]: {
      fits: ({ place }) => place === 'file',
      none: vscode.l10n.t('No MCP server in this window is defined in .vscode/mcp.json.'),
      *act(keeper, name) {
        const { moveServer } = yield* fromThenable(import('./move-server.ts'));
        yield* moveServer(keeper, name);
      },
    },
  };
  for (const [command, action] of Object.entries(actions)) {
    yield* useCommand(command as CommandId, (argument) => on(argument, action));
  }
}

/** What a command does with a server. */
interface ServerAction {
  /** Which servers are picked from. */
  fits(row: ServerRow): boolean;
  /** What is said where none does. */
  readonly none: string;
  act(keeper: WindowServers, name: string): Operation<unknown>;
}

function nameOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const { row } = (argument ?? {}) as { readonly row?: Partial<ServerRow> };
  return typeof row?.name === 'string' ? row.name : undefined;
}

/** Whether there is something to take back: a permission, or what was given when it was asked for. */
function isKnown({ state }: ServerRow): boolean {
  return state.kind !== 'blocked' || state.why !== 'new';
}

function* pickServer(
  book: Book,
  fits: (row: ServerRow) => boolean,
  none: string,
): Operation<string | undefined> {
  const rows = book.rows();
  const names = rows.filter(fits).map(({ name }) => name);
  if (names.length === 0) {
    inform(rows.length === 0 ? vscode.l10n.t('This window has no MCP servers.') : none);
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Choose an MCP server');
  return (yield* pickOne(
    names.map((name) => ({ label: plainItem(name), name })),
    { placeHolder },
  ))?.name;
}
