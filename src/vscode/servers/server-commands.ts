import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useCommand } from '../commands/use-command.ts';
import { commands } from '../ids.ts';
import type { Lazy } from '../lazy.ts';
import { pickOne } from '../pick/pick-one.ts';
import { plainItem } from '../pick/plain-item.ts';
import type { WindowServers } from './keep-servers.ts';
import type { ServerBook, ServerRow } from './server-book.ts';

type Book = ServerBook<WindowServers>;

/** Commands on servers: for a row of the Tools view, by a server's name, or for one that is picked. */
export function* useServerCommands(book: Book, desk: Lazy<CallDesk>): Operation<void> {
  function* on(
    argument: unknown,
    fits: (row: ServerRow) => boolean,
    act: (keeper: WindowServers, name: string) => Operation<unknown>,
  ): Operation<void> {
    const keeper = book.keeper();
    const name = nameOf(argument) ?? (yield* pickServer(book, fits));
    if (keeper && name !== undefined) yield* act(keeper, name);
  }
  const runs = ({ state: { kind } }: ServerRow) => ['connecting', 'ready', 'waiting'].includes(kind);
  yield* useCommand(commands.startServer, (argument) =>
    on(
      argument,
      (row) => !runs(row),
      (keeper, name) => keeper.start(name),
    ),
  );
  yield* useCommand(commands.stopServer, (argument) =>
    on(argument, runs, (keeper, name) => keeper.stop(name)),
  );
  yield* useCommand(commands.restartServer, (argument) =>
    on(argument, runs, (keeper, name) => keeper.restart(name)),
  );
  yield* useCommand(commands.forgetServer, (argument) =>
    on(
      argument,
      () => true,
      (keeper, name) => keeper.takeBack(name),
    ),
  );
  yield* useCommand(commands.showServerLog, (argument) =>
    on(
      argument,
      () => true,
      function* (keeper, name) {
        keeper.showLog(name);
      },
    ),
  );
  yield* useCommand(commands.useServer, (argument) =>
    on(
      argument,
      ({ state }) => state.kind === 'ready',
      function* (keeper, name) {
        const { runOffer } = yield* fromThenable(import('./run-offer.ts'));
        yield* runOffer(keeper, name, desk);
      },
    ),
  );
  yield* useCommand(commands.moveServer, (argument) =>
    on(
      argument,
      ({ place }) => place === 'file',
      function* (keeper, name) {
        const { moveServer } = yield* fromThenable(import('./move-server.ts'));
        yield* moveServer(keeper, name);
      },
    ),
  );
}

function nameOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const { row } = (argument ?? {}) as { readonly row?: Partial<ServerRow> };
  return typeof row?.name === 'string' ? row.name : undefined;
}

function* pickServer(book: Book, fits: (row: ServerRow) => boolean): Operation<string | undefined> {
  const names = book
    .rows()
    .filter(fits)
    .map(({ name }) => name);
  const placeHolder = vscode.l10n.t('Pick an MCP server');
  return (yield* pickOne(
    names.map((name) => ({ label: plainItem(name), name })),
    { placeHolder },
  ))?.name;
}
