import * as vscode from 'vscode';
import { debugEnvironment } from '../../../isolation/transport/debug-environment.ts';
import type { ProcessStarter } from '../../../isolation/transport/launch-process.ts';

/** What is debugged. */
export interface DebugTarget {
  readonly title: string;
  /** The workspace folder of the tool. */
  readonly folder: string;
  /** What the process runs: `dist/tool-debug.js`. */
  readonly program: string;
  /** Hears whether it stands at a line, each time that changes. */
  onPaused(isPaused: boolean): void;
}

/** A process under the JavaScript debugger, with a debug session of its own. */
export interface DebuggedProcess extends ProcessStarter, vscode.Disposable {}

/** The debugger of this window. */
export function createDebuggedProcess({ title, folder, program, onPaused }: DebugTarget): DebuggedProcess {
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  let environment: Readonly<Record<string, string>> | undefined;
  let session: vscode.DebugSession | undefined;
  let stopped = false;
  // The debugger begins further sessions below ours: one a process.
  const isOurs = ({ parentSession, configuration }: vscode.DebugSession) =>
    parentSession === undefined && environment !== undefined && isIn(configuration.env, environment);
  const subscriptions = vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession((started) => {
      if (!isOurs(started)) return;
      session = started;
      if (stopped) void vscode.debug.stopDebugging(started);
    }),
    vscode.debug.onDidTerminateDebugSession((ended) => {
      if (isOurs(ended)) resolve(vscode.l10n.t('the debug session was stopped'));
    }),
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: ({ parentSession }) =>
        parentSession && isOurs(parentSession)
          ? {
              onDidSendMessage({ type, event }: { readonly type?: unknown; readonly event?: unknown }) {
                if (type === 'event' && (event === 'stopped' || event === 'continued'))
                  onPaused(event === 'stopped');
              },
            }
          : undefined,
    }),
  );
  return {
    gone,
    dispose: () => void subscriptions.dispose(),
    async start(key) {
      if (!canDebug()) throw new Error(vscode.l10n.t('no installed extension can debug Node.js programs'));
      environment = debugEnvironment(key);
      const started = await vscode.debug.startDebugging(
        vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)),
        {
          type: 'node',
          request: 'launch',
          name: vscode.l10n.t('Parley: {0}', title),
          program,
          cwd: folder,
          env: environment,
          console: 'internalConsole',
          sourceMaps: true,
          // The tool's code comes over the line with its maps in it: there is nothing to look for on disk.
          outFiles: [],
          resolveSourceMapLocations: null,
          // The code waits until its source map is read and its breakpoints are set, also on a machine that is busy.
          pauseForSourceMap: true,
          timeouts: { sourceMapMinPause: 20_000, sourceMapCumulativePause: 60_000 },
          skipFiles: ['<node_internals>/**', `${vscode.Uri.file(program).fsPath.replace(/[^\\/]+$/, '')}**`],
          // On a desktop the program that runs us is no plain Node: there the debugger finds one.
          ...('electron' in process.versions ? {} : { runtimeExecutable: process.execPath }),
        },
        // What is debugged is what was saved and loaded.
        { suppressSaveBeforeStart: true },
      );
      if (!started) throw new Error(vscode.l10n.t('the debugger could not be started'));
    },
    async stop() {
      stopped = true;
      if (session) await vscode.debug.stopDebugging(session);
    },
  };
}

/** Whether there is a debugger for Node: it can be disabled, or missing in other editors. */
function canDebug(): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { contributes } = (packageJSON ?? {}) as { contributes?: { debuggers?: unknown } };
    const debuggers = contributes?.debuggers;
    return Array.isArray(debuggers) && debuggers.some((one) => one?.type === 'node');
  });
}

function isIn(env: unknown, wanted: Readonly<Record<string, string>>): boolean {
  if (typeof env !== 'object' || env === null) return false;
  const has = env as Record<string, unknown>;
  return Object.entries(wanted).every(([name, value]) => has[name] === value);
}
