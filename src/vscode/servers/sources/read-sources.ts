import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Operation } from 'effection';
import * as vscode from 'vscode';
import {
  parseServer,
  parseServers,
  type ServerInput,
  ServersFileError,
  type WrittenServer,
} from '../../../mcp/client/index.ts';
import { fromThenable } from '../../bridge.ts';
import { setting } from '../../setting.ts';
import type { ServerOrigin } from '../server-book.ts';

/** A server as it is written somewhere, with nothing filled in. */
export interface FoundServer {
  readonly name: string;
  readonly place: ServerOrigin;
  /** What was allowed in one folder is not allowed in another. */
  readonly owner: string;
  /** Absolute path of what `${workspaceFolder}` stands for. */
  readonly folder: string;
  /** The file that it is written in. */
  readonly file: vscode.Uri | undefined;
  readonly inputs: readonly ServerInput[];
  /** Absent where it cannot be read; `problem` says why. */
  readonly written: WrittenServer | undefined;
  readonly problem?: string;
}

/** What is wrong with a file as a whole. */
export interface SourceProblem {
  readonly file: vscode.Uri;
  readonly message: string;
}

/** Where the servers of a folder are written. */
export function serversFile(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

/** Where servers are written for agents that run outside the editor: of a folder, and of a person, for Copilot CLI. */
function agentFiles(folders: readonly vscode.WorkspaceFolder[]): readonly {
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly owner: string;
}[] {
  const [first] = folders;
  const home = process.env.COPILOT_HOME ?? join(homedir(), '.copilot');
  const copilot = vscode.Uri.file(join(home, 'mcp-config.json'));
  return [
    ...folders.map((folder) => ({
      file: vscode.Uri.joinPath(folder.uri, '.mcp.json'),
      folder,
      owner: folder.uri.toString(),
    })),
    ...(first ? [{ file: copilot, folder: first, owner: `copilot ${first.uri.toString()}` }] : []),
  ];
}

/** What Parley wrote itself: this window has these tools already. */
function isParley([name, entry]: WrittenServer): boolean {
  return (
    name === 'parley' ||
    (name.startsWith('parley-') && entry.url?.startsWith('http://127.0.0.1:')) ||
    [entry.command, ...(entry.args ?? [])].some((word) => word?.includes('parley-mcp'))
  );
}

/** All servers of this window's settings and folders; of two with one name, the settings' or the first folder's. */
export function* readSources(): Operation<{
  readonly servers: readonly FoundServer[];
  readonly problems: readonly SourceProblem[];
}> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const problems: SourceProblem[] = [];
  const inFolders: FoundServer[] = [];
  const files = [
    ...folders.map((folder) => ({
      place: 'file' as const,
      file: serversFile(folder),
      folder,
      owner: folder.uri.toString(),
    })),
    ...agentFiles(folders).map((one) => ({ ...one, place: 'agent' as const })),
  ];
  for (const { place, file, folder, owner } of files) {
    const text = yield* fromThenable(readFile(file.fsPath, 'utf8').catch(() => undefined));
    if (text === undefined || text.trim() === '') continue;
    const base = { place, owner, folder: folder.uri.fsPath, file };
    try {
      // Agents write variables of the environment without a word before them.
      const { servers, unreadable, inputs } = parseServers(
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as files say it
        place === 'file' ? text : text.replaceAll(/\$\{([A-Z_][A-Z0-9_]*)\}/g, '${env:$1}'),
      );
      for (const written of servers)
        if (place === 'file' || !isParley(written))
          inFolders.push({ ...base, name: written[0], inputs, written });
      for (const { name, problem } of unreadable)
        inFolders.push({ ...base, name, inputs, written: undefined, problem: problem.message });
    } catch (error) {
      if (!(error instanceof ServersFileError)) throw error;
      problems.push({ file, message: error.message });
    }
  }
  const [first] = folders;
  const ofSettings = {
    place: 'setting' as const,
    owner: `settings ${first?.uri.toString() ?? ''}`,
    folder: first?.uri.fsPath ?? homedir(),
    file: undefined,
    // A server that was moved keeps the inputs that its file describes.
    inputs:
      inFolders.find(({ owner, place }) => place === 'file' && owner === first?.uri.toString())?.inputs ??
      (yield* inputsOf(first)),
  };
  const inSettings = Object.entries(setting('parley.servers')).map(([name, json]): FoundServer => {
    try {
      return { ...ofSettings, name, written: parseServer(name, json) };
    } catch (error) {
      return { ...ofSettings, name, written: undefined, problem: (error as Error).message };
    }
  });
  const servers = new Map<string, FoundServer>();
  for (const server of [...inSettings, ...inFolders]) {
    if (!servers.has(server.name)) servers.set(server.name, server);
  }
  return { servers: [...servers.values()], problems };
}

/** The inputs of a file whose last server was moved away. */
function* inputsOf(folder: vscode.WorkspaceFolder | undefined): Operation<readonly ServerInput[]> {
  if (!folder) return [];
  const text = yield* fromThenable(
    readFile(serversFile(folder).fsPath, 'utf8').catch(() => '{"servers":{}}'),
  );
  try {
    return parseServers(text).inputs;
  } catch {
    return [];
  }
}

/** Reads a file that a server names, from its folder. */
export function readBeside({ folder }: Pick<FoundServer, 'folder'>, path: string): Promise<string> {
  return readFile(isAbsolute(path) ? path : resolve(folder, path), 'utf8');
}
