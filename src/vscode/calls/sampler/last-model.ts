import type { Operation } from 'effection';
import type { Memento } from 'vscode';
import { fromThenable } from '../../bridge.ts';
import { type ModelFacts, modelKey } from './choose-model.ts';

/** The model that the person last used with Parley in this workspace: in a chat with `@parley`, or by saying so. */
export interface LastModel {
  /** Its key, when there is one. */
  get(): string | undefined;
  set(key: string): void;
  /**
   * Asks the person which of these models may read what tools send, and remembers it. Samplings that come meanwhile wait for
   * the same answer. Who closes the list is not asked again in this window, and gets `fallback`.
   */
  ask<M extends ModelFacts>(models: readonly M[], fallback: M): Operation<M>;
}

const stateKey = 'parley.lastModel';

/** Keeps it in the workspace's state. `pick` shows the list and gives the key of what was picked. */
export function createLastModel(
  state: Memento,
  pick: (models: readonly ModelFacts[]) => PromiseLike<string | undefined>,
): LastModel {
  let asking: PromiseLike<string | undefined> | undefined;
  const set = (key: string) => void state.update(stateKey, key);
  return {
    get() {
      const kept: unknown = state.get(stateKey);
      return typeof kept === 'string' ? kept : undefined;
    },
    set,
    *ask(models, fallback) {
      asking ??= pick(models).then((key) => {
        if (key !== undefined) set(key);
        return key;
      });
      const key = yield* fromThenable(asking);
      return models.find((model) => modelKey(model) === key) ?? fallback;
    },
  };
}
