import { pathToFileURL } from 'node:url';
import { startPageName } from './start-page.ts';
import type { ServerAddress } from './vscode-server.ts';

/** What a page shows. */
export interface WorkbenchOptions {
  /** Folder or `.code-workspace` file to open; none opens an empty window. */
  readonly workspace?: string;
  /** The display language, such as `de`: extensions speak it, the editor itself has no translations here. English without it. */
  readonly language?: string;
  /** Folder of one extension to load as being under development. Needs a server with `testDriver`, as do tests. */
  readonly extensionUnderTest?: string;
  /** A module exporting `run()`, called in the extension host. */
  readonly extensionTests?: string;
}

/** The page that prepares the browser (no sign-in dialog) and goes on to the workbench. */
export function workbenchUrl(server: ServerAddress, options: WorkbenchOptions): string {
  const query = new URLSearchParams();
  if (server.token !== undefined) query.set('tkn', server.token);
  if (options.workspace !== undefined) {
    const kind = options.workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
    query.set(kind, uriPath(options.workspace));
  }
  const remote = (path: string): string =>
    `vscode-remote://127.0.0.1:${server.port}${pathToFileURL(path).pathname}`;
  const payload: [string, string][] = [];
  if (options.extensionUnderTest !== undefined) {
    payload.push(['extensionDevelopmentPath', remote(options.extensionUnderTest)]);
  }
  if (options.extensionTests !== undefined)
    payload.push(['extensionTestsPath', remote(options.extensionTests)]);
  if (payload.length > 0) query.set('payload', JSON.stringify([...payload, ['skipWelcome', 'true']]));
  return `${server.origin}/static/${startPageName}?${query}`;
}

/** The path of a URI as VS Code keeps it: nothing of it is encoded. */
export function uriPath(path: string): string {
  return decodeURIComponent(pathToFileURL(path).pathname);
}
