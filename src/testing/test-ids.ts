import type { Ids } from '../core/world/ids.ts';

/** Makes ids that count: `call_1`, `call_2`, … */
export function createTestIds(): Ids {
  const counts = new Map<string, number>();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${count}`;
    },
  };
}
