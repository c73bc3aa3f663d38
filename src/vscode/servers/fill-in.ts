import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import { asLabel } from '../../core/messages/label.ts';
import {
  fillInServer,
  SECRET_FIELDS,
  type ServerEntry,
  type ServerInput,
  type WrittenServer,
} from '../../mcp/client/index.ts';
import { fromThenable } from '../bridge.ts';
import { useOwnEdge } from '../contexts.ts';
import { type FoundServer, readBeside } from './sources/read-sources.ts';
import type { Vault } from './vault.ts';

/** The person did not give what a server needs. */
export class InputMissing extends Error {}

/**
 * What a server comes to, with what the person gave for its inputs. With `ask` they are asked for what they have not given yet;
 * what they give is kept.
 *
 * @throws `InputMissing`, `ServersFileError`
 */
export function* filledConfig(
  found: FoundServer,
  written: WrittenServer,
  vault: Vault,
  ask: boolean,
): Operation<ServerEntry> {
  const edge = yield* useOwnEdge();
  // One after the other: the editor has one place to ask.
  let last: Promise<unknown> = Promise.resolve();
  const given = new Map<string, Promise<string>>();
  const input = (id: string): Promise<string> => {
    const known = given.get(id);
    if (known) return known;
    const value = last.then(() => edge.promise(() => inputValue(found, written, id, vault, ask)));
    last = value.catch(() => {});
    given.set(id, value);
    return value;
  };
  return yield* until(
    fillInServer(written, {
      workspaceFolder: found.folder,
      env: process.env,
      readText: (path) => readBeside(found, path),
      input,
    }),
  );
}

function* inputValue(
  found: FoundServer,
  [, { oauth }]: WrittenServer,
  id: string,
  vault: Vault,
  ask: boolean,
): Operation<string> {
  const kept = yield* vault.input(found.owner, id);
  if (kept !== undefined) return kept;
  const isSecret = SECRET_FIELDS.some((name) => oauth?.[name]?.includes(`\${input:${id}}`));
  const known = found.inputs.find((one) => one.id === id) ?? { id, password: true };
  const described = isSecret ? { ...known, password: true } : known;
  const value = ask ? yield* askFor(found.name, described) : undefined;
  if (value === undefined) throw new InputMissing(id);
  yield* vault.keepInput(found.owner, id, value);
  return value;
}

function* askFor(
  server: string,
  { id, type, description, options, password, ...rest }: ServerInput,
): Operation<string | undefined> {
  const title = vscode.l10n.t('The server “{0}” requires: {1}', server, asLabel(id));
  const told = asLabel(description ?? id);
  const shared = { title, ignoreFocusOut: true };
  if (type === 'pickString' && options) {
    return yield* fromThenable(vscode.window.showQuickPick([...options], { ...shared, placeHolder: told }));
  }
  if (type === 'command') {
    // A command that a file of the workspace names is none of the person's.
    throw new Error(vscode.l10n.t('“{0}” is an input of type “command”, which Parley does not run', id));
  }
  return yield* fromThenable(
    vscode.window.showInputBox({
      ...shared,
      prompt: told,
      password: password ?? false,
      ...(rest.default === undefined ? {} : { value: rest.default }),
    }),
  );
}
