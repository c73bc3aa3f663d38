import type { Port } from '../page/port.ts';

/**
 * What one drawing of a page remembers. A host may load the same document again when it comes back into sight: what was typed is in
 * `storage` then. Without a storage, or where the host allows none, it is remembered as long as the page is loaded.
 *
 * @param ticket names the drawing. Only a part of it is written down, and nothing can be answered with that.
 */
export function drawingMemory(
  ticket: string,
  storage?: () => Pick<Storage, 'getItem' | 'setItem'>,
): Port['memory'] {
  const key = `parley ${ticket.slice(0, 8)}`;
  let memory: unknown;
  try {
    memory = JSON.parse(storage?.().getItem(key) ?? 'null') ?? undefined;
  } catch {
    // There is none.
  }
  return {
    get: () => memory,
    set(state) {
      memory = state;
      try {
        storage?.().setItem(key, JSON.stringify(state));
      } catch {
        // There is none, or it is full.
      }
    },
  };
}
