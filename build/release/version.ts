type Numbers = readonly [major: number, minor: number, patch: number];

/**
 * The version of a release: the one given, or the next of its kind.
 * A pre-release has an odd minor number and a release an even one: the Marketplace takes plain numbers only, and gives people the
 * highest, so that otherwise those on releases would get a pre-release, or those on pre-releases an older release.
 * @throws when it is no version, not newer, or of the other kind
 */
export function nextVersion(current: string, asked: string, preRelease: boolean): string {
  const now = numbersOf(current);
  const next = step(now, asked, preRelease) ?? numbersOf(asked);
  const [major, minor, patch] = next;
  const version = `${major}.${minor}.${patch}`;
  if (!isNewer(next, now)) throw new Error(`${version} is not newer than ${current}.`);
  if (minor % 2 === (preRelease ? 0 : 1)) {
    throw new Error(
      preRelease
        ? `${version} is for a release: a pre-release has an odd minor number, such as ${major}.${minor + 1}.0.`
        : `${version} is for a pre-release: a release has an even minor number, such as ${major}.${minor + 1}.0. For a pre-release add --pre-release.`,
    );
  }
  return version;
}

function step([major, minor, patch]: Numbers, asked: string, preRelease: boolean): Numbers | undefined {
  const kindAt = (from: number) => (from % 2 === (preRelease ? 1 : 0) ? from : from + 1);
  if (asked === 'major') return [major + 1, kindAt(0), 0];
  if (asked === 'minor') return [major, kindAt(minor + 1), 0];
  if (asked === 'patch') return kindAt(minor) === minor ? [major, minor, patch + 1] : [major, minor + 1, 0];
  return undefined;
}

function numbersOf(version: string): Numbers {
  const [, major, minor, patch] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version) ?? [];
  if (patch === undefined) {
    throw new Error(
      `'${version}' is no version: write 1.2.3, or patch, minor or major. The Marketplace takes nothing else.`,
    );
  }
  return [Number(major), Number(minor), Number(patch)];
}

function isNewer(next: Numbers, now: Numbers): boolean {
  const at = next.findIndex((number, index) => number !== now[index]);
  return at !== -1 && (next[at] ?? 0) > (now[at] ?? 0);
}
