import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notesOf, releaseChangelog } from '#build/release/changelog.ts';
import manifest from '../../../../package.json' with { type: 'json' };

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

  test('refuses more lines than people read', () => {
    const lines = (count: number) => '- New.\n\n'.repeat(count);
    expect(() => releaseChangelog(`${head}\n${lines(21)}`, '1.2.0', 'd')).toThrow('says 21 lines');
    const { changelog } = releaseChangelog(`${head}\n${lines(20)}`, '1.2.0', 'd');
    expect(notesOf(changelog, '1.2.0')).toBe(lines(20).trim());
    expect(() => notesOf(`## [1.2.0] - d\n${lines(21)}`, '1.2.0')).toThrow('says 21 lines');
  });

  test('says what is new in a version that has its section, whatever comes next', () => {
    const changelog = `${head}\n- Next.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n\n## [0.0.1] - 2025-01-01\n\n- Old.\n`;
    expect(notesOf(changelog, '0.1.0')).toBe('- First.');
    expect(() => notesOf(changelog, '0.1')).toThrow('no section for 0.1.');
    expect(() => notesOf(changelog, '0x1.0')).toThrow('no section for 0x1.0.');
  });

  test('of Parley itself is one that can be released', async () => {
    const changelog = await readFile(join(import.meta.dirname, '../../../..', 'CHANGELOG.md'), 'utf8');
    expect(notesOf(changelog, manifest.version)).toMatch(/^- /m);
    expect(changelog).toContain('## [Unreleased]\n');
  });
});
