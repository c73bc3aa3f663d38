import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import type { Port } from './port.ts';

/** One part of what a panel remembers; each part has its own key in VS Code's one state object. */
export interface MemoryPart {
  get(): JsonValue | undefined;
  set(value: JsonValue): void;
}

/** The part of `memory` under `key`. What another version of the page left there is the reader's to check. */
export function memoryPart(memory: Port['memory'], key: string): MemoryPart {
  const all = (): JsonObject => {
    const state = memory.get();
    return isJsonObject(state) ? state : {};
  };
  return {
    get: () => all()[key],
    set: (value) => memory.set({ ...all(), [key]: value }),
  };
}
