import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { ensure, type Operation, resource, until } from 'effection';
import type * as esbuild from 'esbuild';

/** What esbuild offers; its version is exactly that of the copy that is loaded. */
export type Esbuild = typeof esbuild;

/** A bundler process that can be started again. */
export interface EsbuildService {
  /** Rises each time the process had to be started again: contexts of an earlier one are of no use any more. */
  readonly generation: number;
  /** The API; starts the process with its first use. */
  api(): Esbuild;
  /** Ends the process; the next use of the API starts another. */
  restart(): Operation<void>;
}

/** Where esbuild is and what runs it. */
export interface EsbuildServiceOptions {
  /** A folder with the files of the npm package `esbuild-wasm`. */
  readonly dir: string;
  /** A Node or an Electron that can act as one; the running one by default. */
  readonly execPath?: string;
  /** Flags for V8, left out where it does not know them. */
  readonly v8Flags?: readonly string[];
}

/**
 * Only the quick compiler for WebAssembly. The optimising one takes several seconds of two cores and 150 MB for code that,
 * in a tool folder, then runs for a fraction of a second with each save (tried).
 */
const QUICK = ['--liftoff-only'];

/** What Node ends with when it does not know an option. */
const BAD_OPTION = 9;

/**
 * esbuild (its WebAssembly build) as a resource: one process for all folders, ended with the scope.
 *
 * The package would start `node` from the `PATH`, and the person at a desktop may have none. So its file is loaded with
 * a `child_process` whose `spawn` starts the program that runs this, told to be Node in case it is Electron.
 */
export function useEsbuild({
  dir,
  execPath = process.execPath,
  v8Flags = QUICK,
}: EsbuildServiceOptions): Operation<EsbuildService> {
  return resource(function* (provide) {
    let loaded: Esbuild | undefined;
    let child: ChildProcess | undefined;
    let generation = 0;
    let ended = false;
    let flags = v8Flags;

    const giveUp = (process: ChildProcess | undefined) => {
      if (process === undefined || child !== process) return;
      child = undefined;
      generation++;
      // Makes esbuild forget the process, so that its next use starts another.
      void loaded?.stop();
    };

    const start = (args: readonly string[], options: object): ChildProcess => {
      const { NODE_OPTIONS: _, ...env } = process.env;
      const started = spawn(execPath, [...flags, ...args], {
        ...options,
        env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      });
      child = started;
      started.once('error', () => giveUp(started));
      started.once('exit', (code) => {
        if (code === BAD_OPTION) flags = [];
        giveUp(started);
      });
      return started;
    };

    function* end(): Operation<void> {
      const last = child;
      giveUp(last);
      if (last && last.exitCode === null && last.signalCode === null && last.pid !== undefined) {
        // esbuild lets the program end without it; we wait for its end.
        last.ref();
        yield* until(once(last, 'exit'));
      }
    }

    yield* ensure(function* () {
      ended = true;
      yield* end();
    });

    yield* provide({
      get generation() {
        return generation;
      },
      api() {
        if (ended) throw new Error('the bundler has been stopped with the scope that owns it');
        loaded ??= loadEsbuild(dir, start);
        return loaded;
      },
      restart: end,
    });
  });
}

type Spawn = (args: readonly string[], options: object) => ChildProcess;

/** Runs the package's main file with everything Node offers, except that starting `node` is up to `start`. */
function loadEsbuild(dir: string, start: Spawn): Esbuild {
  const filename = join(dir, 'lib', 'main.js');
  const require = createRequire(filename);
  const childProcess = {
    ...(require('node:child_process') as object),
    spawn: (_node: string, args: readonly string[], options: object) => start(args, options),
  };
  const ownRequire = (id: string): unknown => (id === 'child_process' ? childProcess : require(id));
  const module = { exports: {} };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  compileFunction(readFileSync(filename, 'utf8'), parameters, { filename })(
    module.exports,
    ownRequire,
    module,
    filename,
    dirname(filename),
  );
  return module.exports as Esbuild;
}
