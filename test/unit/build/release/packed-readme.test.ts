import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { packedReadme } from '#build/release/packed-readme.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const text =
  'A [guide](docs/a.md#b), a [site](https://example.com), [here](#here).\n\n![A form](docs/images/a.gif)\n\nEnd.\n';

describe('the packed README', () => {
  test('with a public repository leads there', () => {
    expect(packedReadme(text, 'https://example.com/o/p')).toBe(
      'A [guide](https://example.com/o/p/blob/HEAD/docs/a.md#b), a [site](https://example.com), [here](#here).\n\n![A form](https://example.com/o/p/raw/HEAD/docs/images/a.gif)\n\nEnd.\n',
    );
  });

  test('without one has no pictures, and says the path of a file in place of a link', () => {
    expect(packedReadme(text, undefined)).toBe(
      'A guide (`docs/a.md`), a [site](https://example.com), [here](#here).\n\nEnd.\n',
    );
    expect(packedReadme('![x](a.svg) [`a`](b.md) [a [b] c](d.md) [e.md](./e.md#f)', undefined)).toBe(
      ' `a` (`b.md`) a [b] c (`d.md`) e.md',
    );
  });

  test('without one says nothing of building what nobody has', () => {
    const both = 'a\n<!-- source -->\nnpm start\n<!-- /source -->\nb\n';
    expect(packedReadme(both, undefined)).toBe('a\nb\n');
    expect(packedReadme(both, 'https://example.com/o/p')).toContain('npm start');
  });

  test('has no heading for what is new when nothing is', () => {
    const version = '## [0.1.0] - 2026-01-01\n\n- A thing.\n';
    expect(packedReadme(`# Changelog\n\n## [Unreleased]\n\n${version}`, undefined)).toBe(
      `# Changelog\n\n${version}`,
    );
    expect(packedReadme(`## [Unreleased]\n\n- New.\n\n${version}`, undefined)).toContain('- New.');
  });

  test.each(['README.md', 'CHANGELOG.md', 'SECURITY.md'])(
    'shows pictures of web addresses only, and links that lead somewhere: %s',
    (page) => {
      const markdown = readFileSync(join(root, page), 'utf8');
      for (const repository of [undefined, 'https://example.com/o/p']) {
        const html = marked.parse(packedReadme(markdown, repository), { async: false });
        const targets = [...html.matchAll(/<(?:img|a)\b[^>]*\s(?:src|href)="([^"]*)"/g)].map(([, to]) => to);
        if (repository !== undefined && page === 'README.md') expect(targets.length).toBeGreaterThan(20);
        expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target ?? ''))).toEqual([]);
      }
    },
  );
});
