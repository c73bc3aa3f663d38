/** The changelog of a release, and what is new in it. */
export interface Released {
  readonly changelog: string;
  readonly notes: string;
}

/** Lines that a version has at most: people read them. */
const MOST = 20;

/**
 * Gives what stands under “Unreleased” to a version, and leaves the heading for what comes next.
 * @throws when there is no such heading, nothing under it, too much, or the version has a section already
 */
export function releaseChangelog(changelog: string, version: string, date: string): Released {
  if (changelog.includes(`## [${version}]`))
    throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  const heading = '## [Unreleased]\n';
  const notes = sectionOf(changelog, heading);
  if (notes === undefined) throw new Error('CHANGELOG.md has no heading “## [Unreleased]”.');
  if (!/^- /m.test(notes)) throw new Error('CHANGELOG.md says nothing under “Unreleased”: what is new?');
  const [before = '', after = ''] = changelog.split(`${heading}${notes}`);
  const section = `## [${version}] - ${date}\n\n${brief(notes)}\n`;
  return {
    changelog: `${before}${heading}\n${section}${after === '' ? '' : `\n${after}`}`,
    notes: brief(notes),
  };
}

/**
 * What a version says that has its section already.
 * @throws when it has none, or says too much
 */
export function notesOf(changelog: string, version: string): string {
  const [heading] =
    changelog.match(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - .*\\n`, 'm')) ?? [];
  const notes = heading === undefined ? undefined : sectionOf(changelog, heading);
  if (notes === undefined)
    throw new Error(
      `CHANGELOG.md has no section for ${version}. Which version? npm run release -- 1.2.0, or patch, minor or major.`,
    );
  return brief(notes);
}

function sectionOf(changelog: string, heading: string): string | undefined {
  const at = changelog.indexOf(heading);
  if (at === -1) return undefined;
  const [notes = ''] = changelog.slice(at + heading.length).split(/^(?=## )/m);
  return notes;
}

function brief(notes: string): string {
  const lines = notes.split('\n').filter((line) => line.trim() !== '').length;
  if (lines > MOST) throw new Error(`CHANGELOG.md says ${lines} lines of a version: ${MOST} are enough.`);
  return notes.trim();
}
