/** Lets so many run at once, the others in their order: a process may have only so many files open. */
export function createLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Who waited longest takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
