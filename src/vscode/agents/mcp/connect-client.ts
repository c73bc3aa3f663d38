import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensure, type Operation, scoped } from 'effection';
import * as vscode from 'vscode';
import { addProved } from '../../../cli/setup/add-proved.ts';
import { type AgentSetup, agentSetups } from '../../../cli/setup/agents.ts';
import { changeFile } from '../../../cli/setup/config-file.ts';
import { type EntryPlace, entryText, withEntry } from '../../../cli/setup/entry-text.ts';
import { NameTakenError, SetupError } from '../../../cli/setup/setup-error.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { fromThenable } from '../../bridge.ts';
import { inform } from '../../calls/notices/inform.ts';
import { pickOne } from '../../calls/pick/pick-one.ts';
import { useExtension } from '../../contexts.ts';
import { type KeptState, keptState } from './kept-state.ts';
import type { WindowServer } from './window-server.ts';

/** Whom the server of a window is written or copied for. */
interface Client extends Pick<AgentSetup, 'id' | 'label' | 'format' | 'servers' | 'remote' | 'byHand'> {
  /** The configuration of the person, where its entry goes. */
  readonly file: string;
}

/** What was written for an agent. */
interface Written {
  readonly file: string;
  readonly name: string;
  /** By which the entry is known as ours. */
  readonly url: string;
  /** The access that came with it. */
  readonly grant: string;
}

/** Entries of one name that are tried: `parley-shop`, `parley-shop-2`, and so on. */
const MOST_OF_A_NAME = 9;

/**
 * **Connect Another MCP Client…**: writes the server of this window into the configuration of an agent, once the person agrees and the
 * server has answered, and removes it again. For clients whose configuration is not written here it is copied.
 */
export function* connectClient(server: WindowServer, id: unknown): Operation<void> {
  const home = yield* useExtension();
  const book = writtenBook(keptState(home));
  const all = clients(home.globalStorageUri);
  const client =
    all.find((one) => one.id === id) ??
    (yield* pickClient(all, (one) => book.get(one.id) !== undefined && !one.byHand));
  if (!client) return;
  if (client.byHand) return yield* copy(server, client);
  const known = book.get(client.id);
  const isConnected = known && (yield* server.clients()).some(({ id }) => id === known.grant);
  const instead = isConnected ? [] : [vscode.l10n.t('Copy Configuration')];
  try {
    if (isConnected) yield* remove(server, client, known, book);
    else yield* add(server, client, known, book);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    if (yield* fromThenable(vscode.window.showErrorMessage(error.message, ...instead)))
      yield* copy(server, client);
  }
}

function* add(
  server: WindowServer,
  client: Client,
  known: Written | undefined,
  book: WrittenBook,
): Operation<void> {
  const { file, label } = client;
  const ours = (text: string) => known !== undefined && text.includes(JSON.stringify(known.url));
  const place = freePlace(client, known, ours);
  const question = vscode.l10n.t('Add the tools of this workspace to {0}?', label);
  const detail = vscode.l10n.t(
    'Parley adds the server “{0}” to {1} and changes no other server. The entry contains a token that lets programs on this machine run the tools of this workspace as “{2}”.',
    ...[place.name, file, label],
  );
  const [go, instead] = [vscode.l10n.t('Add Server'), vscode.l10n.t('Copy Configuration')];
  const pressed = yield* fromThenable(
    vscode.window.showInformationMessage(question, { modal: true, detail }, go, instead),
  );
  if (pressed === instead) return yield* copy(server, client);
  if (pressed !== go) return;
  const { url, token, id } = yield* server.forClient(label);
  let added = false;
  yield* scoped(function* () {
    yield* ensure(function* () {
      if (!added) yield* server.shutOut(id);
    });
    const entry = client.remote({ url, token });
    const headers = { Authorization: `Bearer ${token}` };
    // First: what is written and not known could not be removed again, and would keep a token that is revoked.
    yield* book.keep(client.id, { file, name: place.name, url, grant: id });
    const { tools } = yield* addProved(file, (text) => withEntry(text, place, entry, ours), {
      ...{ kind: 'http', name: place.name, url, headers },
    });
    added = true;
    inform(
      vscode.l10n.t(
        'Added “{0}” to {1}: it answered with {2} tools. Restart {3} to use them. To remove it, choose {3} in this command again.',
        ...[place.name, file, String(tools.length), label],
      ),
    );
  });
}

function* remove(
  server: WindowServer,
  client: Client,
  { file, name, url, grant }: Written,
  book: WrittenBook,
): Operation<void> {
  const question = vscode.l10n.t('{0} has the tools of this workspace. Remove them?', client.label);
  const detail = vscode.l10n.t('Parley removes the server “{0}” from {1} and revokes its token.', name, file);
  const go = vscode.l10n.t('Remove Server');
  const pressed = yield* fromThenable(
    vscode.window.showInformationMessage(question, { modal: true, detail }, go),
  );
  if (pressed !== go) return;
  yield* server.shutOut(grant);
  yield* book.keep(client.id, undefined);
  const place = { format: client.format, servers: client.servers, name };
  changeFile(file, (text) =>
    withEntry(text, place, undefined, (there) => there.includes(JSON.stringify(url))),
  );
  inform(vscode.l10n.t('Removed “{0}” from {1}. Its token no longer works.', name, file));
}

function* copy(server: WindowServer, client: Client): Operation<void> {
  const endpoint = yield* server.forClient(client.label);
  const text = entryText({ ...client, name: ownName() }, client.remote(endpoint));
  yield* fromThenable(vscode.env.clipboard.writeText(text));
  inform(
    vscode.l10n.t(
      'Copied the configuration for {0}. It contains a token that lets programs on this machine run the tools of this workspace as “{1}”. Do not share it.',
      ...[client.label, endpoint.name],
    ),
  );
}

/** Where nothing of others is. @throws `SetupError` when the file cannot be changed, or has all names */
function freePlace(client: Client, known: Written | undefined, ours: (text: string) => boolean): EntryPlace {
  const names = Array.from({ length: MOST_OF_A_NAME }, (_, at) =>
    at === 0 ? ownName() : `${ownName()}-${at + 1}`,
  );
  let taken: unknown;
  for (const name of known ? [known.name, ...names] : names) {
    const place = { format: client.format, servers: client.servers, name };
    try {
      changeFile(client.file, (text) => withEntry(text, place, {}, ours), { tries: true });
      return place;
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
      taken = error;
    }
  }
  throw taken;
}

/** Each workspace has its own server: two are beside each other in one configuration. Clients put it before each tool's name. */
function ownName(): string {
  const words = (vscode.workspace.name ?? '').normalize('NFKD').match(/[a-z0-9]+/gi) ?? [];
  return ['parley', ...words].join('-').toLowerCase().slice(0, 24).replace(/-$/, '');
}

/** All that are known, and last what most others read. */
function clients(storage: vscode.Uri): readonly Client[] {
  const persons = { home: homedir(), env: process.env, platform: process.platform };
  const known = agentSetups.map((agent): Client => {
    if (agent.id !== 'vscode') return { ...agent, file: agent.file(persons) };
    // The editor knows its own, unless that is on another machine.
    const file = join(storage.fsPath, '..', '..', 'mcp.json');
    const isHere = storage.scheme === 'file' && vscode.env.remoteName === undefined;
    return isHere ? { ...agent, file } : { ...agent, file: 'mcp.json', byHand: true };
  });
  const other: Client = {
    id: 'other',
    label: vscode.l10n.t('Other clients'),
    file: 'mcp.json',
    format: 'json',
    servers: ['mcpServers'],
    remote: ({ url, token }) => ({ type: 'http', url, headers: { Authorization: `Bearer ${token}` } }),
    byHand: true,
  };
  return [...known, other];
}

function* pickClient(
  all: readonly Client[],
  isConnected: (client: Client) => boolean,
): Operation<Client | undefined> {
  const items = all.map((client) => ({
    label: client.label,
    description: isConnected(client) ? vscode.l10n.t('connected: {0}', client.file) : client.file,
    client,
  }));
  const placeHolder = vscode.l10n.t('Choose the client to connect to the tools of this workspace');
  return (yield* pickOne(items, { placeHolder }))?.client;
}

/** What was written for which agent, over reloads. */
interface WrittenBook {
  get(client: string): Written | undefined;
  keep(client: string, written: Written | undefined): Operation<void>;
}

function writtenBook(state: KeptState): WrittenBook {
  const key = 'parley.mcp.written';
  const read = (): Readonly<Record<string, unknown>> => {
    const kept = state.get(key);
    return isObject(kept) ? kept : {};
  };
  return {
    get(client) {
      const { file, name, url, grant } = { ...(read()[client] as Partial<Written> | undefined) };
      const isWhole = [file, name, url, grant].every((part) => typeof part === 'string');
      return isWhole ? ({ file, name, url, grant } as Written) : undefined;
    },
    *keep(client, written) {
      yield* fromThenable(state.update(key, { ...read(), [client]: written }));
    },
  };
}
