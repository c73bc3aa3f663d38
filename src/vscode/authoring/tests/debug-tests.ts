import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { ensure, type Operation, spawn } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, nextOf, useListener } from '../../bridge.ts';
import type { TestCommand, TestFile } from './test-process.ts';

/** By which a debug session of ours is known. */
const MARK = 'PARLEY_TEST_RUN';

/** Runs a file of tests under the debugger, until its session ends. Halting stops it. Gives nothing to say: the debug console has it. */
export function* debugTests(
  { program, args, env }: TestCommand,
  { file, folder }: TestFile,
): Operation<string> {
  const id = randomUUID();
  const isOurs = ({ configuration, parentSession }: vscode.DebugSession) =>
    parentSession === undefined && configuration.env?.[MARK] === id;
  let session: vscode.DebugSession | undefined;
  yield* useListener(vscode.debug.onDidStartDebugSession, (started) => {
    if (isOurs(started)) session = started;
  });
  yield* ensure(function* () {
    if (session) yield* fromThenable(vscode.debug.stopDebugging(session));
  });
  const ended = yield* spawn(() => nextOf(vscode.debug.onDidTerminateDebugSession, isOurs));
  const started = yield* fromThenable(
    vscode.debug.startDebugging(
      vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)),
      {
        type: 'node',
        request: 'launch',
        name: vscode.l10n.t('Test: {0}', basename(file)),
        program: file,
        cwd: dirname(file),
        runtimeExecutable: program,
        runtimeArgs: [...args],
        env: { ...env, NODE_OPTIONS: '', [MARK]: id },
        console: 'internalConsole',
        outputCapture: 'std',
        skipFiles: ['<node_internals>/**', '**/.parley/.generated/**', '**/.parley/node_modules/**'],
      },
      { suppressSaveBeforeStart: false },
    ),
  );
  if (!started) return vscode.l10n.t('the debugger could not be started');
  yield* ended;
  return '';
}
