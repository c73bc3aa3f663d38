const SHAPE = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

/** Which part of a version a release raises. */
export type Bump = 'patch' | 'minor' | 'major';

/** The next version. What is before 1.0.0 raises its minor for a break, as npm's ranges have it. */
export function raised(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  // The release of a pre-release is the version that it prepares.
  if (version.includes('-') && bump === 'patch') return `${major}.${minor}.${patch}`;
  if (bump === 'major' && major > 0) return `${major + 1}.0.0`;
  if (bump === 'patch') return `${major}.${minor}.${patch + 1}`;
  return `${major}.${minor + 1}.0`;
}

/** What conventional commits ask for: a break is major, a feature minor, the rest a patch. */
export function bumpOf(subjects: readonly string[]): Bump {
  if (subjects.some((subject) => /^\w+(\([^)]*\))?!:/.test(subject))) return 'major';
  return subjects.some((subject) => /^feat(\([^)]*\))?:/.test(subject)) ? 'minor' : 'patch';
}

/** What is wrong with a version after another; nothing where it is right. */
export function wrongWith(version: string, before: string): string | undefined {
  if (!SHAPE.test(version))
    return `“${version}” is no version: write three numbers, such as ${raised(before, 'patch')}.`;
  if (compare(version, before) > 0) return undefined;
  return `${version} is not higher than ${before}.`;
}

function compare(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const [at, number] of left.entries()) {
    const less = number - (right[at] ?? 0);
    if (less !== 0) return less;
  }
  const [before, after] = [SHAPE.exec(a)?.[4], SHAPE.exec(b)?.[4]];
  if (before === after) return 0;
  // A pre-release comes before its release.
  if (before === undefined) return 1;
  if (after === undefined) return -1;
  return before.localeCompare(after, 'en', { numeric: true });
}

function numbersOf(version: string): number[] {
  return (SHAPE.exec(version)?.slice(1, 4) ?? []).map(Number);
}
