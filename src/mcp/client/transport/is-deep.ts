/** Lists and objects within each other that a message may have: recursion in libraries ends not far above. */
export const DEPTH = 100;

/** Whether a value is nested deeper than that. Walks without recursion. */
export function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
