import type { AnyTool } from '../../core/index.ts';

/** A list is read by people: the first sentence will do. */
export function described({ def }: AnyTool) {
  return { name: def.name, description: def.description.split(/(?<=[.!?])\s/, 1)[0] ?? def.description };
}

/** What is listed now. */
export function offersOf<T>(listed: readonly T[] | { list(): readonly T[] }): readonly T[] {
  return 'list' in listed ? listed.list() : listed;
}
