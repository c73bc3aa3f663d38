import { describe, expect, test } from 'vitest';
import { releaseChangelog } from '#build/release/changelog.ts';

const head = '# Changelog\n\n## [Unreleased]\n';

describe('the changelog of a release', () => {
  test('gives what is unreleased to the version and leaves the heading', () => {
    const { changelog, notes } = releaseChangelog(
      `${head}\n### Added\n\n- A thing.\n`,
      '1.2.0',
      '2026-01-02',
    );
    expect(changelog).toBe(`${head}\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- A thing.\n`);
    expect(notes).toBe('### Added\n\n- A thing.');
  });

  test('leaves earlier versions as they are', () => {
    const before = '## [1.0.0] - 2025-01-01\n\n- Old.\n';
    const { changelog } = releaseChangelog(`${head}\n- New.\n\n${before}`, '1.2.0', '2026-01-02');
    expect(changelog).toBe(`${head}\n## [1.2.0] - 2026-01-02\n\n- New.\n\n${before}`);
  });

  test('refuses when there is nothing new, no heading, or the version twice', () => {
    expect(() => releaseChangelog(`${head}\n### Added\n`, '1.2.0', 'd')).toThrow('says nothing');
    expect(() => releaseChangelog('# Changelog\n', '1.2.0', 'd')).toThrow('no heading');
    expect(() => releaseChangelog(`${head}\n- New.\n\n## [1.2.0]\n`, '1.2.0', 'd')).toThrow('already');
  });
});
