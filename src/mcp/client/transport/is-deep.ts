/** Lists and objects within each other that a message may have: recursion in libraries ends not far above. */
export const DEPTH = 100;

/** Whether a value is nested deeper than that. It looks no deeper itself, so that it may call itself. */
export function isDeep(value: unknown, left = DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const part of parts) if (typeof part === 'object' && isDeep(part, left - 1)) return true;
  return false;
}
