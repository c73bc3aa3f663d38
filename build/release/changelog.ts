/** The changelog of a release, and what is new in it. */
export interface Released {
  readonly changelog: string;
  readonly notes: string;
}

/**
 * Gives what stands under “Unreleased” to a version, and leaves the heading for what comes next.
 * @throws when there is no such heading, nothing under it, or the version has a section already
 */
export function releaseChangelog(changelog: string, version: string, date: string): Released {
  if (changelog.includes(`## [${version}]`))
    throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  const [whole, before, notes] =
    /^([\s\S]*?^## \[Unreleased\]\n)([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (whole === undefined || before === undefined || notes === undefined) {
    throw new Error('CHANGELOG.md has no heading “## [Unreleased]”.');
  }
  if (!/^- /m.test(notes)) throw new Error('CHANGELOG.md says nothing under “Unreleased”: what is new?');
  const rest = changelog.slice(whole.length);
  const section = `## [${version}] - ${date}\n\n${notes.trim()}\n`;
  return {
    changelog: `${before}\n${section}${rest === '' ? '' : `\n${rest}`}`,
    notes: notes.trim(),
  };
}
