/** Counts what comes in each second: gives true for what is more than so many, and calls back at the first of them. */
export function everySecond(most: number, now: () => number, tooMany: () => void): () => boolean {
  let second = 0;
  let taken = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      taken = 0;
    }
    taken += 1;
    if (taken === most + 1) tooMany();
    return taken > most;
  };
}
