import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { LoadedVersion } from '../../../workspace/load/folder-loader.ts';
import type { Problem } from '../../../workspace/registry/problem.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { fromThenable } from '../../bridge.ts';
import { saved } from '../editor/saved.ts';
import { known } from './named-tool.ts';
import type { ToolPort } from './tool-port.ts';

/** A tool as it is to be run. */
export interface CurrentTool {
  readonly registered: RegisteredTool;
  /** Says that it is an older version than what stands in its file, and why. */
  readonly notice: string | undefined;
}

/**
 * The tool as it stands in the editor: what it is made of is saved, as for a task, and loaded. Where that cannot be loaded it
 * is the last version that could. @throws where the file has no tool of that name any more
 */
export function* currentTool(port: ToolPort, chosen: RegisteredTool): Operation<CurrentTool> {
  const folder = port.folders.get(chosen.source.id);
  const { place } = chosen;
  if (!folder || !place) return { registered: chosen, notice: undefined };
  yield* saveFiles(port, new Set([place.file, ...(folder.about(place.file)?.sources ?? [])]));
  yield* folder.need(place.file);
  const registered = yield* known(port.registry, chosen.name);
  const file = registered.place?.file ?? place.file;
  const version = folder.about(file);
  const problems = port.registry.problems();
  const waits = problems.some((one) => one.kind === 'waiting' && one.file === file);
  const notice = version && (waits || version.failed) ? noticeOf(version, problems, waits) : undefined;
  return { registered, notice };
}

/** As the person wants it for tasks: always, never, or asked each time. */
function* saveFiles(port: ToolPort, paths: ReadonlySet<string>): Operation<void> {
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && paths.has(uri.fsPath),
  );
  if (dirty.length === 0 || !(yield* mayBeSaved())) return;
  for (const document of dirty) {
    yield* saved(document, vscode.workspace.onDidSaveTextDocument);
    // The editor may tell of it only later.
    port.wrote(document.uri.fsPath);
  }
}

function* mayBeSaved(): Operation<boolean> {
  const wanted = vscode.workspace.getConfiguration('task').get<string>('saveBeforeRun', 'always');
  if (wanted !== 'prompt') return wanted !== 'never';
  const save = vscode.l10n.t('Save');
  const question = vscode.l10n.t('Save the files of the tool before running it?');
  const keep = vscode.l10n.t('Don’t Save');
  const pressed = vscode.window.showInformationMessage(question, { modal: true }, save, keep);
  return (yield* fromThenable(pressed)) === save;
}

function noticeOf(
  { sources, loadedAt }: LoadedVersion,
  problems: readonly Problem[],
  waits: boolean,
): string {
  const errors = problems.filter(({ severity, file }) => severity === 'error' && sources.has(file));
  const time = new Date(loadedAt).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  if (waits) {
    return vscode.l10n.t(
      'Runs the version of {0}: the tool was changed outside this editor after that. Choose Parley: Reload Tools to run it as it is now.',
      time,
    );
  }
  const [first] = errors;
  if (!first) return vscode.l10n.t('Using the version from {0}: the file cannot be loaded.', time);
  const where = `${vscode.workspace.asRelativePath(first.file)}:${first.line}`;
  return errors.length === 1
    ? vscode.l10n.t('Using the version from {0}: the file has 1 error. {1}: {2}', time, where, first.message)
    : vscode.l10n.t(
        'Using the version from {0}: the files have {1} errors. First error: {2}: {3}',
        time,
        errors.length,
        where,
        first.message,
      );
}
