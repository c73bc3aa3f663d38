import type { Memento } from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import { asParameters, withoutSecrets } from './parameters.ts';

/** What the person gave a tool last time in this workspace. */
export interface LastParameters {
  get(toolName: string): JsonObject | undefined;
  set(toolName: string, params: JsonObject): void;
}

/** Keeps them in the workspace's state, without what looks like a secret. */
export function createLastParameters(state: Memento): LastParameters {
  const keyOf = (toolName: string) => `parley.lastParameters.${toolName}`;
  return {
    get(toolName) {
      return asParameters(state.get(keyOf(toolName)));
    },
    set(toolName, params) {
      void state.update(keyOf(toolName), withoutSecrets(params));
    },
  };
}
