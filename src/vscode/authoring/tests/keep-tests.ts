import { basename } from 'node:path';
import { type Operation, suspend } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, nextOf, useDisposable, useListener, useSubscription } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useEdge } from '../../contexts.ts';
import type { AuthorKits } from '../workspace/author-kits.ts';
import { isTestFile, testsIn } from './find-tests.ts';
import type { TestRunKind } from './run-tests.ts';

const TESTS = '**/.parley/tests/**/*.test.{ts,mts,js,mjs}';

/**
 * Tests of tools in the Test Explorer: those of `.parley/tests` that Node's own runner runs, as *New Tool…* writes them. The controller is
 * made when there is one, so that the view of a workspace without any stays empty. Runs until it is halted.
 *
 * The extensions for Node's runner (as `connor4312.nodejs-testing`) cannot do it: their globs find nothing below a folder whose name begins
 * with a dot, they start the `node` of the `PATH`, which need not be there, and read TypeScript by a setting. A tool's test also needs the
 * author's kit, which is provided before it runs (`kits`), and views and texts as the editor loads them (`testing/node/hooks.ts`).
 */
export function* keepTests(kits: AuthorKits, tools: ToolPort): Operation<void> {
  const edge = yield* useEdge();
  if (!vscode.workspace.isTrusted) yield* nextOf(vscode.workspace.onDidGrantWorkspaceTrust);
  const watcher = yield* useDisposable(() => vscode.workspace.createFileSystemWatcher(TESTS));
  const files = new Map<string, vscode.TestItem>();
  let made: vscode.TestController | undefined;

  const read = function* (uri: vscode.Uri): Operation<void> {
    const bytes = yield* fromThenable(
      vscode.workspace.fs.readFile(uri).then(
        (read) => read,
        () => undefined,
      ),
    );
    const text = bytes && new TextDecoder().decode(bytes);
    const id = uri.toString();
    if (text === undefined || !isTestFile(text)) {
      files.delete(id);
      made?.items.delete(id);
      return;
    }
    made ??= controllerOf();
    const item = files.get(id) ?? made.createTestItem(id, basename(uri.path), uri);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder) item.description = folder.name;
    files.set(id, item);
    made.items.add(item);
    fill(made, item, text);
  };

  const controllerOf = () => {
    const controller = vscode.tests.createTestController('parley.tests', vscode.l10n.t('Parley tools'));
    const refresh = (file: vscode.TestItem) => (file.uri ? read(file.uri) : noop());
    const profile = (kind: TestRunKind, name: string, is: vscode.TestRunProfileKind) =>
      controller.createRunProfile(name, is, (request, token) =>
        edge.promise(function* () {
          const { runTests } = yield* fromThenable(import('./run-tests.ts'));
          yield* runTests({ controller, kits, refresh }, request, kind);
        }, token),
      );
    profile('run', vscode.l10n.t('Run'), vscode.TestRunProfileKind.Run).isDefault = true;
    profile('debug', vscode.l10n.t('Debug'), vscode.TestRunProfileKind.Debug).isDefault = true;
    const coverage = profile('coverage', vscode.l10n.t('Coverage'), vscode.TestRunProfileKind.Coverage);
    coverage.loadDetailedCoverage = async (run, file) =>
      (await import('./show-coverage.ts')).coverageOf(run, file);
    controller.refreshHandler = (token) => edge.promise(findAll, token);
    return controller;
  };

  function* findAll(): Operation<void> {
    const exclude = '**/{node_modules,.generated}/**';
    for (const uri of yield* fromThenable(vscode.workspace.findFiles(TESTS, exclude))) yield* read(uri);
  }

  const readAgain = (uri: vscode.Uri) => void edge.fork(`the tests of ${uri.fsPath}`, () => read(uri));
  yield* useListener(watcher.onDidCreate, readAgain);
  yield* useListener(watcher.onDidChange, readAgain);
  yield* useListener(watcher.onDidDelete, readAgain);
  const looked = ({ uri }: vscode.TextDocument) => {
    if (/\/\.parley\/tests\/.*\.test\.m?[jt]s$/.test(uri.path)) readAgain(uri);
  };
  yield* useListener(vscode.workspace.onDidSaveTextDocument, looked);
  // One that came with its folder, which a watcher may miss, is known once it is looked at.
  yield* useListener(vscode.workspace.onDidOpenTextDocument, looked);
  // New Tool… makes a test as well, maybe with the first folder for them, which a watcher may miss.
  yield* useSubscription(() => tools.onWrote(() => edge.fork('the tests of tools', findAll)));
  yield* useDisposable(() => ({ dispose: () => made?.dispose() }));
  yield* findAll();
  yield* suspend();
}

function* noop(): Operation<void> {}

/** A row for each test; one that is there keeps its result. */
function fill(controller: vscode.TestController, file: vscode.TestItem, text: string): void {
  const seen = new Map<string, number>();
  const rows = testsIn(text).map(({ name, line }) => {
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const id = `${file.id}#${nth}:${name}`;
    const item = file.children.get(id) ?? controller.createTestItem(id, name, file.uri);
    item.range = new vscode.Range(line - 1, 0, line - 1, 0);
    return item;
  });
  file.children.replace(rows);
}
