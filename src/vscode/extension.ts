import { createScope, suspend } from 'effection';
import type * as vscode from 'vscode';
import { start } from './bridge.ts';
import { useParley } from './main.ts';

let stop: (() => PromiseLike<void>) | undefined;

/** Starts Parley in one scope, of which every call, panel and watcher is a child. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const [scope, destroy] = createScope();
  stop = destroy;
  const ready = Promise.withResolvers<void>();
  const run = start(scope, function* () {
    yield* useParley(context);
    ready.resolve();
    yield* suspend();
  });
  void run.outcome.then((outcome) => {
    if (outcome.type === 'failed') ready.reject(outcome.error);
  });
  await ready.promise;
}

/** Ends everything and waits until it is down. */
export async function deactivate(): Promise<void> {
  await stop?.();
  stop = undefined;
}
