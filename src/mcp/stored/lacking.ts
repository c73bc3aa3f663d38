import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';
import type { Catalog } from '../catalog/catalog.ts';

/** Calls that nobody here can go on with: each is looked at once, and left alone until its tool is served. */
export class Lacking {
  /** The tool that a call needs, by call. */
  #tools = new Map<string, string>();

  /** Remembers one: its tool is not served here, or there is none that could be (`''`). */
  add(name: CallName, tool: string): void {
    this.#tools.set(callKey(name), tool);
  }

  /** Those of these that may be gone on with. What is not among these is forgotten. */
  without(names: readonly CallName[], { tools }: Pick<Catalog, 'tools'>): readonly CallName[] {
    const before = this.#tools;
    this.#tools = new Map();
    return names.filter((name) => {
      const tool = before.get(callKey(name));
      if (tool === undefined || tools.get(tool)) return true;
      this.add(name, tool);
      return false;
    });
  }
}
