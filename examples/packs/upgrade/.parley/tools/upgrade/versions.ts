/** How far a version is from another. Before 1.0.0 a new minor may break, as npm's ranges have it. */
export type Step = 'major' | 'minor' | 'patch';

/** How far it is from one version to a higher one. */
export function stepOf(from: string, to: string): Step {
  const [a, b] = [numbersOf(from), numbersOf(to)];
  if (a[0] !== b[0] || (a[0] === 0 && a[1] !== b[1])) return 'major';
  return a[1] === b[1] ? 'patch' : 'minor';
}

/** Below 0 where the first is lower. */
export function compare(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const at of [0, 1, 2]) {
    const less = (left[at] ?? 0) - (right[at] ?? 0);
    if (less !== 0) return less;
  }
  return 0;
}

/** The lowest version that a range takes, such as `18.17` of `^18.17 || >=20`; `undefined` where it says nothing. */
export function lowestOf(range: string): string | undefined {
  const lowest = range
    .split('||')
    .flatMap((part) => /(?<![<\d.]|<=\s*|<\s*)\d+(\.\d+){0,2}/.exec(part)?.[0] ?? []);
  return lowest.sort(compare)[0];
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}

/** The parts of a changelog after one version, up to another. */
export function changesBetween(changelog: string, from: string, to: string): string {
  const parts = changelog.split(/^(?=#{1,3}\s)/m);
  let inside = false;
  return parts
    .filter((part) => {
      const version = /^#{1,3}\s[^\n]*?(\d+\.\d+\.\d+)/.exec(part)?.[1];
      // A heading without a version belongs to the one above it.
      if (version !== undefined) inside = compare(version, from) > 0 && compare(version, to) <= 0;
      return inside;
    })
    .join('')
    .trim();
}
