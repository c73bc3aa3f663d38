import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resultsRoot } from './paths.ts';
import { run, tail } from './process.ts';
import { stopWithParent } from './process-group.ts';
import { createServerHome, type ServerHome } from './server-home.ts';
import { quiet, type Settings } from './user-settings.ts';
import type { VsCodeVersion } from './versions.ts';
import { installVsCode } from './vscode-install.ts';

/** What to serve. */
export interface ServerOptions {
  readonly version: VsCodeVersion;
  /** Folders of extensions to have installed. One under test can be opened as such instead (see `workbenchUrl`). */
  readonly extensions?: readonly string[];
  /** Packages to install the way a person does, with VS Code's own installer. */
  readonly packages?: readonly string[];
  readonly settings?: Settings;
  /** A folder for all that the server writes, which stays, user settings included. Without it, a temporary one. */
  readonly home?: string;
  /** Opened by a page that names no folder. */
  readonly defaultFolder?: string;
  /** Required from every visitor; without it the server is open to everybody on this machine. */
  readonly token?: string;
  /** 0 (the default) takes a free one. */
  readonly port?: number;
  /** Trust every workspace without asking (the default). */
  readonly trustWorkspaces?: boolean;
  /** Lets a page choose an extension under development and tests (off by default). Such a page shows no toasts. */
  readonly testDriver?: boolean;
  /** Set in the server, and so in every extension host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What another process needs to use a running server; plain data. */
export interface ServerAddress {
  readonly vscode: string;
  readonly port: number;
  /** Without a slash at the end, for example `http://127.0.0.1:41233`. */
  readonly origin: string;
  readonly token: string | undefined;
  readonly settingsFile: string;
  /** What `resetSettings` puts back. */
  readonly initialSettings: Settings;
  readonly bridgeDir: string;
}

/** A running server; `await using` stops it. */
export interface VsCodeServer extends AsyncDisposable {
  readonly address: ServerAddress;
  /** Resolves with the exit code when the server ends by itself. */
  readonly ended: Promise<number>;
  /** All that the server has written to its console. */
  log(): string;
  /** Copies the log to `test-results/<name>.log` and returns that path. */
  keepLog(name: string): Promise<string>;
  /** Ends it and starts it again, in the same home and at the same address: what VS Code keeps on the disk is all that is left. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const startTimeout = 60_000;

/**
 * Starts a real VS Code server in a home of its own and waits until it answers.
 * It ends, with everything it started, when stopped or when this process goes.
 * @throws Error with the end of the server's log when it does not come up
 */
export async function startVsCodeServer(options: ServerOptions): Promise<VsCodeServer> {
  requireNode24();
  const { root, node } = await installVsCode(options.version);
  const home = await createServerHome(options.extensions ?? [], options.home);
  for (const file of options.packages ?? []) await install(file, root, node, home);
  const launch = (port: number) => {
    const child = spawn(node, serverArgs(root, home, { ...options, port }), {
      cwd: home.root,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: serverEnv(home, options),
    });
    return { child, group: stopWithParent(child), log: collect(child) };
  };
  let running = launch(options.port ?? 0);
  const earlier: string[] = [];
  const log = () => [...earlier, running.log()].join('');
  const stop = async (): Promise<void> => {
    await running.group.stop();
    await home.remove();
  };
  const ended = Promise.withResolvers<number>();
  let restarting = false;
  const watch = ({ child }: typeof running) =>
    child.once('exit', (code) => {
      // One that was started again has not ended by itself.
      if (!restarting && running.child === child) ended.resolve(code ?? 1);
    });
  try {
    const port = await listening(running.child, running.log);
    watch(running);
    const address: ServerAddress = {
      vscode: options.version.vscode,
      port,
      origin: `http://127.0.0.1:${port}`,
      token: options.token,
      settingsFile: home.settingsFile,
      initialSettings: { ...quiet, ...options.settings },
      bridgeDir: home.bridgeDir,
    };
    if (options.home === undefined || !existsSync(home.settingsFile)) await resetSettings(address);
    return {
      address,
      ended: ended.promise,
      log,
      keepLog: (name) => keep(name, log()),
      async restart() {
        const last = running;
        earlier.push(last.log());
        restarting = true;
        await last.group.stop();
        restarting = false;
        running = launch(port);
        await listening(running.child, running.log);
        watch(running);
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Puts the user settings back to what the server was started with. Windows opened from now on see them. */
export async function resetSettings(server: ServerAddress): Promise<void> {
  await mkdir(dirname(server.settingsFile), { recursive: true });
  await writeFile(server.settingsFile, JSON.stringify(server.initialSettings, null, 2));
}

function serverArgs(root: string, home: ServerHome, options: ServerOptions): string[] {
  return [
    join(root, 'out', 'server-main.js'),
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
    ...['--server-data-dir', home.dataDir, '--extensions-dir', home.extensionsDir],
    ...['--accept-server-license-terms', '--disable-telemetry', '--reconnection-grace-time', '2'],
    '--disable-websocket-compression', // on one machine it costs time and saves none
    ...(options.token === undefined ? ['--without-connection-token'] : ['--connection-token', options.token]),
    ...((options.trustWorkspaces ?? true) ? ['--disable-workspace-trust'] : []),
    ...(options.defaultFolder === undefined ? [] : ['--default-folder', options.defaultFolder]),
    ...(options.testDriver === true ? ['--enable-smoke-test-driver'] : []),
  ];
}

async function install(file: string, root: string, node: string, home: ServerHome): Promise<void> {
  const { code, output } = await run(
    node,
    [
      join(root, 'out', 'server-main.js'),
      ...['--server-data-dir', home.dataDir, '--extensions-dir', home.extensionsDir],
      ...['--accept-server-license-terms', '--disable-telemetry', '--install-extension', file],
    ],
    { cwd: home.root, env: serverEnv(home, {}) },
  );
  if (code !== 0 || !/successfully installed/i.test(output)) {
    await home.remove();
    throw new Error(`VS Code does not install ${file}:\n${tail(output)}`);
  }
}

function serverEnv(home: ServerHome, options: Pick<ServerOptions, 'env'>): NodeJS.ProcessEnv {
  const own = {
    HOME: home.root,
    // What windows leave there, sockets and folders, goes with the rest.
    TMPDIR: home.root,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    PARLEY_BRIDGE_DIR: home.bridgeDir,
  };
  // A debugger or flags meant for this process must not take hold of the server.
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  return { ...inherited, ...own, ...options.env };
}

function collect(child: ChildProcess): () => string {
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
  }
  return () => log;
}

function listening(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server ${what}. Its log ends with:\n${tail(log())}`));
    };
    const timer = setTimeout(() => fail(`did not come up in ${startTimeout / 1000} s`), startTimeout);
    child.on('error', (error) => fail(`could not be started (${error.message})`));
    child.on('exit', (code) => fail(`ended with code ${code}`));
    const look = (): void => {
      const port = /Extension host agent listening on (\d+)/.exec(log())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', look);
      resolve(Number(port));
    };
    child.stdout?.on('data', look);
  });
}

async function keep(name: string, log: string): Promise<string> {
  await mkdir(resultsRoot, { recursive: true });
  const file = join(resultsRoot, `${name}.log`);
  await writeFile(file, log);
  return file;
}

function requireNode24(): void {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  throw new Error(
    `This VS Code needs Node 24 and this is ${process.versions.node}. Start it through an npm script: ` +
      '"npm install" has put Node 24 into node_modules/.bin, which npm scripts find first.',
  );
}
