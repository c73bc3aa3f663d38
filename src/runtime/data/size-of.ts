/** What an object, an array or a property costs beside what it holds: about what V8 takes for a small one. */
const NODE = 32;

/** With more objects than these, it looks whether there is a loop. */
const MANY = 100_000;

/**
 * About how many bytes of memory a value keeps, as far as JSON goes. Written for what came from outside: it does not
 * recurse, and it stops counting beyond `enough`.
 */
export function sizeOf(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return NODE + value.length;
  if (typeof value !== 'object' || value === null) return NODE;
  const left: object[] = [value];
  let bytes = 0;
  let nodes = 0;
  let seen: Set<object> | undefined;
  const add = (inner: unknown): void => {
    if (typeof inner === 'string') bytes += inner.length;
    else if (typeof inner === 'object' && inner !== null) left.push(inner);
  };
  for (let next = left.pop(); next && bytes <= enough; next = left.pop()) {
    // Remembering what was seen costs more than everything else here, and only loops need it.
    if (++nodes > MANY) {
      seen ??= new Set();
      if (seen.has(next)) continue;
      seen.add(next);
    }
    bytes += NODE;
    if (Array.isArray(next)) {
      bytes += 8 * next.length;
      for (const inner of next) add(inner);
    } else {
      for (const [name, inner] of Object.entries(next)) {
        bytes += NODE + name.length;
        add(inner);
      }
    }
  }
  return bytes;
}
