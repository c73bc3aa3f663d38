import { createScope, suspend } from 'effection';
import type * as vscode from 'vscode';
import type { ParleyExports } from './agents/api/api.ts';
import { start } from './bridge.ts';
import { LeavingContext } from './contexts.ts';
import { useParley } from './main.ts';

let leaving = false;
let stop: (() => PromiseLike<void>) | undefined;

/** Starts Parley in one scope, of which every call, panel and watcher is a child. Gives the API for other extensions. */
export async function activate(context: vscode.ExtensionContext): Promise<ParleyExports> {
  const [scope, destroy] = createScope();
  stop = destroy;
  const ready = Promise.withResolvers<ParleyExports>();
  leaving = false;
  const run = start(scope, function* () {
    yield* LeavingContext.set(() => leaving);
    ready.resolve(yield* useParley(context));
    yield* suspend();
  });
  void run.outcome.then((outcome) => {
    if (outcome.type === 'failed') ready.reject(outcome.error);
  });
  return await ready.promise;
}

/** Ends everything and waits until it is down. */
export async function deactivate(): Promise<void> {
  leaving = true;
  await stop?.();
  stop = undefined;
}
