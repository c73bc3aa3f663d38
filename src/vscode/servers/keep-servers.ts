import { ensure, type Operation, resource, scoped, suspend } from 'effection';
import * as vscode from 'vscode';
import { entryHash, outsideName, type ServerEntry, type WrittenServer } from '../../mcp/client/index.ts';
import { type Edge, fromThenable, useDisposable, useListener } from '../bridge.ts';
import { seenFromBrowser } from '../calls/editor/open-page.ts';
import { useShownText } from '../calls/editor/shown-text.ts';
import { workspaceRoots } from '../calls/editor/workspace-roots.ts';
import { useLazy } from '../calls/lazy.ts';
import { agreed } from '../calls/notices/agreed.ts';
import { noticeText } from '../calls/notices/notice-text.ts';
import type { ToolPort } from '../calls/run/tool-port.ts';
import { useExtension, useLog, useOwnEdge, versionOfParley } from '../contexts.ts';
import { filledConfig, InputMissing } from './fill-in.ts';
import { useCallbacks } from './login/callbacks.ts';
import { loginTurns } from './login/login-turns.ts';
import { personLogin } from './login/person-login.ts';
import { sayNotStarted } from './say-not-started.ts';
import type { ServerBook, ServerKeeper } from './server-book.ts';
import { createServerLog } from './server-log.ts';
import { ServerUnit, type UnitParts } from './server-unit.ts';
import { fitsDialog, shownAddressees, shownEntry, wrappedLines } from './shown-entry.ts';
import { useKnownServers } from './sources/known-servers.ts';
import { type FoundServer, readSources } from './sources/read-sources.ts';
import { staying, useShownProblems } from './sources/unreadable-files.ts';
import { useVault } from './vault.ts';

/** What else can be done with the servers of a window. */
export interface WindowServers extends ServerKeeper {
  /** Starts a server: one that nobody has allowed as it is now only when the person allows it. */
  start(name: string): Operation<void>;
  stop(name: string): Operation<void>;
  restart(name: string): Operation<void>;
  /** Opens the login page of a server that waits for a login. */
  logIn(name: string): void;
  /** It is asked about again, and its inputs, too. */
  takeBack(name: string): Operation<void>;
  showLog(name: string): void;
  unit(name: string): ServerUnit | undefined;
  /** The name under which `server/tool` is registered; any other name as it is. */
  outsideName(name: string): string;
  /** Reads again what is written about servers. */
  look(): Operation<void>;
}

/** Keeps the servers of this window, as long as the caller lives: those that the person has allowed are connected. */
export function* keepServers(book: ServerBook<WindowServers>, tools: ToolPort): Operation<never> {
  const edge = yield* useOwnEdge();
  const log = yield* useLog();
  const home = yield* useExtension();
  const vault = yield* useVault(home.secrets, again);
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const callbacks = yield* useLazy(() =>
    useCallbacks(
      {
        thanks: vscode.l10n.t('You are logged in. You can close this page.'),
        refused: (error) =>
          vscode.l10n.t(
            'You were not logged in ({0}). Close this page, and choose “Log In…” on the server to try again.',
            error,
          ),
      },
      seenFromBrowser,
    ),
  );
  const turn = loginTurns(home.globalStorageUri.fsPath);
  // Older than what closes all of them at once, which so comes before each is ended by itself.
  const serverEdge = yield* resource<Edge>(function* (provide) {
    yield* provide(yield* useOwnEdge());
  });
  const parts: UnitParts = {
    registry: tools.registry,
    edge: serverEdge,
    version: versionOfParley(home),
    log: createServerLog,
    roots: workspaceRoots,
    changed,
    login: function* (found, entry, serverLog) {
      const warn = (message: string) => serverLog.write('warning', message);
      return personLogin(found, entry, { edge, vault, callbacks: yield* callbacks(), turn, warn, changed });
    },
  };

  /** Starts what was allowed as it is now; nothing is asked. */
  function* settle(unit: ServerUnit): Operation<void> {
    const { found } = unit;
    const { written, owner, name } = found;
    if (!written) return yield* unit.rest({ kind: 'broken', why: found.problem ?? '' });
    // Asked when it is needed: the person may allow it while it is filled in.
    const allowed = () => vault.allowed(owner, name);
    function* blocked(): Operation<void> {
      yield* unit.rest({ kind: 'blocked', why: (yield* allowed()) === undefined ? 'new' : 'changed' });
    }
    let entry: ServerEntry;
    try {
      entry = yield* filledConfig(found, written, vault, false);
    } catch (error) {
      if (error instanceof InputMissing) return yield* blocked();
      return yield* unit.rest({ kind: 'broken', why: (error as Error).message });
    }
    const hash = entryHash(entry, owner);
    if (hash !== (yield* allowed())) return yield* blocked();
    if (unit.held) return yield* unit.rest({ kind: 'stopped' });
    if (unit.running !== hash) yield* unit.start(entry);
  }

  const showProblems = yield* useShownProblems();
  let before: readonly FoundServer[] = [];
  function* read(): Operation<readonly FoundServer[]> {
    const { servers, problems } = yield* readSources();
    for (const { file, message } of problems) log.warn(`${file.fsPath}: ${message}`);
    showProblems(problems);
    before = [...servers, ...staying(before, servers, problems)];
    return before;
  }

  const { units, look } = yield* useKnownServers({
    read,
    make: (found) => new ServerUnit(found, parts),
    settle,
    changed,
  });

  function again(): void {
    edge.fork('reading the servers of this window', look);
  }

  function* start(name: string): Operation<void> {
    const unit = units.get(name);
    if (!unit) return;
    const { found } = unit;
    const { written } = found;
    unit.held = false;
    unit.started = true;
    yield* settle(unit);
    sayBroken(unit);
    if (unit.running !== undefined) edge.fork('a notice', () => sayNotStarted(unit, book));
    if (!written || unit.row.state.kind !== 'blocked') return;
    if (!(yield* mayStart(found, unit.row.state.why === 'changed'))) return;
    try {
      // What was shown, and nothing else: it may have been written anew meanwhile.
      const entry = yield* filledConfig(found, written, vault, true);
      yield* vault.allow(found.owner, name, entryHash(entry, found.owner));
      // It may have been taken away and written again meanwhile.
      const now = units.get(name);
      if (!now) return;
      now.started = true;
      yield* settle(now);
      if (now.running !== undefined) edge.fork('a notice', () => sayNotStarted(now, book));
    } catch (error) {
      if (error instanceof InputMissing) return;
      yield* unit.rest({ kind: 'broken', why: (error as Error).message });
      sayBroken(unit);
    }
  }

  yield* look();
  const keep = book.keep({
    rows: () => [...units.values()].map(({ row }) => row),
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    start,
    *stop(name) {
      const unit = units.get(name);
      if (!unit?.running) return;
      unit.held = true;
      yield* unit.rest({ kind: 'stopped' });
    },
    *restart(name) {
      const unit = units.get(name);
      if (unit?.running) unit.restart();
      else yield* start(name);
    },
    logIn: (name) => units.get(name)?.logIn(),
    *takeBack(name) {
      const unit = units.get(name);
      if (!unit) return;
      const { owner, inputs, written } = unit.found;
      // First, or who reads what is written about it meanwhile starts it again.
      yield* vault.takeBack(owner, name);
      yield* unit.rest({ kind: 'blocked', why: 'new' });
      yield* vault.forgetLogin(owner, name);
      for (const id of inputIds(
        written,
        inputs.map((one) => one.id),
      ))
        yield* vault.forgetInput(owner, id);
      yield* settle(unit);
    },
    showLog: (name) => units.get(name)?.log.show(),
    unit: (name) => units.get(name),
    outsideName,
    look,
  });
  yield* ensure(keep);
  for (const files of ['**/.vscode/mcp.json', '**/.mcp.json']) {
    const watcher = yield* useDisposable(() => vscode.workspace.createFileSystemWatcher(files));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      yield* useListener(event, again);
  }
  yield* useListener(vscode.workspace.onDidChangeWorkspaceFolders, () => {
    for (const unit of units.values()) unit.rootsChanged();
    again();
  });
  yield* useListener(vscode.workspace.onDidChangeConfiguration, (change) => {
    if (change.affectsConfiguration('parley.servers')) again();
  });
  yield* suspend();
  throw new Error('it is kept until it is halted');
}

/** Who starts a server that cannot be used hears why: its row says that in a tooltip only. */
function sayBroken({ row: { name, state } }: ServerUnit): void {
  if (state.kind !== 'broken') return;
  void vscode.window.showErrorMessage(
    noticeText(vscode.l10n.t('The MCP server “{0}” cannot be used: {1}', name, state.why)),
  );
}

/** The inputs that a server names. */
function inputIds(written: FoundServer['written'], known: readonly string[]): readonly string[] {
  const named = JSON.stringify(written ?? '').matchAll(/\$\{input:([^}]*)\}/g);
  const ids = [...named].map(([, id = '']) => id);
  return [...new Set([...ids, ...known.filter((id) => ids.includes(id))])];
}

/** Who logs in, and where to the secrets for it go. */
function loginOf(written: WrittenServer): readonly string[] {
  const addressees = shownAddressees(written);
  if (addressees === undefined) return [];
  return [
    written[1].oauth?.grantType === undefined
      ? vscode.l10n.t('You log in with your own OAuth client. Its secret is sent only to {0}.', addressees)
      : vscode.l10n.t('Parley logs in automatically. Its secrets are sent only to {0}.', addressees),
  ];
}

/** Shows the person all that would be started or reached, and asks whether it may be. */
function* mayStart(found: FoundServer, again: boolean): Operation<boolean> {
  const { written, name, folder, place, file } = found;
  if (!written) return false;
  const lines = shownEntry(written, folder);
  const question =
    written[1].command === undefined
      ? vscode.l10n.t('Connect to the MCP server “{0}”?', name)
      : vscode.l10n.t('Allow the MCP server “{0}” to run on this machine?', name);
  const all = [
    ...(again ? [vscode.l10n.t('Its configuration changed since you allowed it.')] : []),
    place === 'file'
      ? vscode.l10n.t(
          'The server is defined in .vscode/mcp.json. VS Code may start it too; “Move Server to Parley…” avoids a second copy.',
        )
      : place === 'agent'
        ? vscode.l10n.t('The server is defined in {0}, for other agents.', file?.fsPath ?? '')
        : vscode.l10n.t('The server is defined in the setting parley.servers.'),
    ...loginOf(written),
    '',
    ...lines,
  ];
  const allow = vscode.l10n.t('Allow');
  if (fitsDialog(lines)) return yield* agreed({ message: question, detail: all.join('\n'), button: allow });
  return yield* scoped(function* () {
    const uri = yield* useShownText('/mcp-server.txt', wrappedLines([question, ...all]).join('\n'));
    yield* fromThenable(vscode.window.showTextDocument(uri, { preview: true }));
    const message = vscode.l10n.t('{0} All that you would allow is shown in the editor.', question);
    // The editor puts a warning away after twelve seconds, before all of it is read.
    return (yield* fromThenable(vscode.window.showErrorMessage(noticeText(message, 500), allow))) === allow;
  });
}
