import { join } from 'node:path';
import { ensure, type Operation, spawn, until } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import { defined } from '../../core/schema/defined.ts';
import type { McpServerOptions } from '../../mcp/index.ts';
import type { CallStore, StoreBounds } from '../../stores/index.ts';
import { makeFolder } from '../../stores/make-folder.ts';
import type { StateOption } from '../args.ts';
import { UsageError } from '../options.ts';
import { keysIn } from '../secrets/key-file.ts';

/** Hears of errors with calls. */
type Report = (message: string, cause: unknown, about: 'state') => void;

/** Where the calls of a server are between two requests. */
export interface OpenedState {
  readonly options: Pick<McpServerOptions, 'state' | 'stateKeys'>;
  /** Whether calls can be kept now; what is wrong is told. */
  keeps(): Operation<boolean>;
}

/**
 * Makes the place where calls are between two requests, for as long as the caller lives. What is wrong with it at the start is told; the server
 * starts all the same, for it may be there later.
 *
 * @param bounds how much of them is kept
 * @param password of a database, where it is not in its address
 * @throws `UsageError` for keys that are none, and for a folder that cannot be made
 */
export function* useState(
  state: StateOption,
  report: Report,
  bounds: StoreBounds,
  password?: string,
): Operation<OpenedState> {
  const onProblem = (error: unknown) =>
    report(
      isParleyError(error, 'STORE_FULL')
        ? 'a waiting call was ended to make room'
        : 'a call could not be read',
      error,
      'state',
    );
  switch (state.kind) {
    case 'memory':
      return { options: {}, keeps: always };
    case 'carried':
      return {
        options: { state: 'carried', stateKeys: yield* until(keysIn(state.keyFile)) },
        keeps: always,
      };
    case 'folder': {
      const { folder, keyFile } = state;
      if (keyFile === undefined) make(folder);
      const keys = yield* until(keysIn(keyFile ?? join(folder, 'key')));
      const { createSqliteStore } = yield* until(import('../../stores/index.ts'));
      return yield* opened(createSqliteStore({ folder, keys, bounds, onProblem }), report);
    }
    case 'postgres': {
      const keys = yield* until(keysIn(state.keyFile));
      const { createPostgresStore } = yield* until(import('../../stores/postgres/index.ts'));
      const options = { url: state.url, keys, bounds, onProblem, ...defined({ password }) };
      return yield* opened(createPostgresStore(options), report);
    }
  }
}

function* always(): Operation<boolean> {
  return true;
}

/** An error at the start is reported at once, and not when a call cannot be kept. */
function* opened(
  store: CallStore & { check(): Operation<void>; close(): Promise<void> },
  report: Report,
): Operation<OpenedState> {
  yield* ensure(() => until(store.close()));
  const keeps = function* (): Operation<boolean> {
    try {
      yield* store.check();
      return true;
    } catch (error) {
      report('calls cannot be saved', error, 'state');
      return false;
    }
  };
  yield* spawn(keeps);
  return { options: { state: store }, keeps };
}

function make(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--state: '${folder}' cannot be the folder of calls (${code})`, { cause: error });
  }
}
