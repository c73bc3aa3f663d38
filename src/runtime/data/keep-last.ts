/**
 * Puts an entry last into a map that holds so many at most, and takes out those that have not been used for longest.
 *
 * @param mayGo whether an entry may be forgotten; any may by default. The map is larger for as long as too few may
 * @returns what was forgotten
 */
export function keepLast<K, V>(
  map: Map<K, V>,
  [key, value]: readonly [K, V],
  most: number,
  mayGo: (value: V) => boolean = () => true,
): readonly V[] {
  map.delete(key);
  map.set(key, value);
  const gone: V[] = [];
  for (const [old, held] of map) {
    if (map.size <= most) break;
    if (old === key || !mayGo(held)) continue;
    map.delete(old);
    gone.push(held);
  }
  return gone;
}
