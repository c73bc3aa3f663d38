import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import { memoryPart } from './memory.ts';
import type { Port } from './port.ts';

/** What people have typed and not sent, kept through hiding and reloading the panel. */
export interface Drafts {
  read(scope: string, key: string): JsonValue | undefined;
  write(scope: string, key: string, value: JsonValue): void;
  /** Forgets all scopes but one: what has been answered is no draft any more. */
  keepOnly(scope: string): void;
}

/**
 * Drafts in a panel's memory, by scope (a question, a form) and key. Written with each change: a panel can be hidden
 * between two keystrokes.
 */
export function createDrafts(memory: Port['memory']): Drafts {
  const part = memoryPart(memory, 'drafts');
  const stored = part.get();
  let scopes: JsonObject = isJsonObject(stored) ? stored : {};

  const scopeOf = (scope: string): JsonObject => {
    const drafts = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
    return isJsonObject(drafts) ? drafts : {};
  };
  const save = (next: JsonObject): void => {
    scopes = next;
    part.set(scopes);
  };

  return {
    read(scope, key) {
      const drafts = scopeOf(scope);
      return Object.hasOwn(drafts, key) ? drafts[key] : undefined;
    },
    write(scope, key, value) {
      save({ ...scopes, [scope]: { ...scopeOf(scope), [key]: value } });
    },
    keepOnly(scope) {
      if (Object.keys(scopes).every((other) => other === scope)) return;
      save(Object.hasOwn(scopes, scope) ? { [scope]: scopeOf(scope) } : {});
    },
  };
}
