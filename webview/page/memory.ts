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

/** Whether the texts in a value are longer than that together: without copying them. */
export function isLonger(value: JsonValue, most: number): boolean {
  let left = most;
  const count = (one: JsonValue | undefined): void => {
    if (typeof one === 'string') left -= one.length;
    else if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) count(part);
  };
  count(value);
  return left < 0;
}
