/** A limit that is worth saying. */
export function atLeast(least: number, limit = 0): number | undefined {
  return limit >= least ? limit : undefined;
}

/** Limits in whole sentences, as languages differ in where the numbers go. */
interface RangeTexts {
  both(from: number, to: number): string;
  least(from: number): string;
  most(to: number): string;
}

/** Limits in words. */
export function range(
  from: number | undefined,
  to: number | undefined,
  texts: RangeTexts,
): string | undefined {
  if (from !== undefined && to !== undefined) return texts.both(from, to);
  if (from !== undefined) return texts.least(from);
  return to === undefined ? undefined : texts.most(to);
}
