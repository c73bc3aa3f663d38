/** Files that one list has open at once: in a process that is busy, as an editor that starts is, each wait for a file is long. */
export const AT_ONCE = 32;

/** Does something with each, some of them at once, and gives what comes of it in their order. */
export async function atOnce<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return done;
}
