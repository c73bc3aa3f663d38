import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import { isLonger } from './is-longer.ts';
import { memoryPart } from './memory.ts';
import type { Port } from './port.ts';

/** What people have typed and not sent, kept through hiding and reloading the panel. */
export interface Drafts {
  read(scope: string, key: string): JsonValue | undefined;
  /** Nothing, in a scope that is forgotten: a field that is taken away loses the keyboard, and tells of it. */
  write(scope: string, key: string, value: JsonValue): void;
  /** The scopes in which there is anything. */
  scopes(): readonly string[];
  /** All that a scope has, by key. */
  all(scope: string): JsonObject;
  /** Forgets all scopes but one: what has been answered is no draft any more. */
  keepOnly(scope: string): void;
}

/** Characters of drafts up to which they are kept with each change. */
const SMALL = 100_000;

/** Milliseconds between two times that more is kept: who types into a megabyte must not wait for a copy of it with each key. */
const PACE = 500;

/**
 * Drafts in a panel's memory, by scope (a question, a form) and key. Written with each change: a panel can be hidden
 * between two keystrokes. Long ones are written a little later, and when the page is about to be hidden.
 */
export function createDrafts(memory: Port['memory']): Drafts {
  const part = memoryPart(memory, 'drafts');
  const stored = part.get();
  let scopes: JsonObject = isJsonObject(stored) ? stored : {};

  const scopeOf = (scope: string): JsonObject => {
    const drafts = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
    return isJsonObject(drafts) ? drafts : {};
  };
  let only: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    part.set(scopes);
  };
  const save = (next: JsonObject): void => {
    scopes = next;
    if (isLonger(scopes, SMALL)) timer ??= setTimeout(flush, PACE);
    else flush();
  };
  for (const type of ['pagehide', 'visibilitychange', 'blur']) {
    globalThis.addEventListener?.(type, () => timer !== undefined && flush(), true);
  }

  return {
    read(scope, key) {
      const drafts = scopeOf(scope);
      return Object.hasOwn(drafts, key) ? drafts[key] : undefined;
    },
    write(scope, key, value) {
      if (only !== undefined && scope !== only) return;
      save({ ...scopes, [scope]: { ...scopeOf(scope), [key]: value } });
    },
    scopes: () => Object.keys(scopes),
    all: scopeOf,
    keepOnly(scope) {
      only = scope;
      if (Object.keys(scopes).every((other) => other === scope)) return;
      save(Object.hasOwn(scopes, scope) ? { [scope]: scopeOf(scope) } : {});
    },
  };
}
