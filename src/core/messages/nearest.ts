/** The name that was probably meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  const [best] = names
    .filter((one) => Math.abs(one.length - name.length) <= most)
    .map((one) => ({ one, far: distance(one.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= most ? best.one : undefined;
}

/** How many letters are others, too many, missing, or in each other's place. */
export function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
