import { memoryPart } from './memory.ts';
import type { Port } from './port.ts';

/** Where the person had scrolled to, kept through hiding and reloading the panel. */
export interface ScrollMemory {
  read(): number;
  write(top: number): void;
}

/** The scroll position in a panel's memory. */
export function createScrollMemory(memory: Port['memory']): ScrollMemory {
  const part = memoryPart(memory, 'scroll');
  return {
    read: () => {
      const top = part.get();
      return typeof top === 'number' ? top : 0;
    },
    write: (top) => {
      if (top !== part.get()) part.set(top);
    },
  };
}
