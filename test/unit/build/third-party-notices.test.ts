import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { thirdPartyNotices } from '#build/third-party-notices.ts';
import { tempFolder } from '#test/temp-folder.ts';

describe('the notices that ship', () => {
  const dist = join(import.meta.dirname, '..', '..', '..', 'dist');

  test('name every package that a bundle has code of', async () => {
    const bundled = new Set<string>();
    for (const file of await readdir(join(dist, 'meta'))) {
      const { outputs }: Metafile = JSON.parse(await readFile(join(dist, 'meta', file), 'utf8'));
      for (const input of Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
        const name = input.split('node_modules/').at(-1);
        if (input.includes('node_modules/')) bundled.add(/^(?:@[^/]+\/)?[^/]+/.exec(String(name))?.[0] ?? '');
      }
    }
    expect(bundled.size).toBeGreaterThan(15);
    const notices = await readFile(join(dist, 'ThirdPartyNotices.txt'), 'utf8');
    expect([...bundled].filter((name) => !notices.includes(`\n\n${name} `))).toEqual([]);
  });

  test('name what ships without being bundled', async () => {
    const notices = await readFile(join(dist, 'ThirdPartyNotices.txt'), 'utf8');
    for (const name of ['esbuild-wasm', '@types/node', '@types/react', 'csstype', 'effection', 'zod']) {
      expect(notices).toContain(`\n\n${name} `);
    }
  });
});

describe('notices', () => {
  let root = '';
  beforeAll(async () => {
    root = tempFolder();
    const files = {
      'a/package.json': '{ "name": "a", "version": "1.2.3", "license": "MIT" }',
      'a/LICENSE': 'You may use a.',
      'a/NOTICE': 'a is made of b.',
      'a/dist/index.js': '//#region ../node_modules/.pnpm/x/node_modules/@in/side/main.js\nexport {};\n',
      'a/node_modules/@in/side/package.json': '{ "version": "4.5.6", "license": "ISC" }',
      'a/node_modules/@in/side/license.md': 'You may use what is inside.',
      'bare/package.json': '{ "name": "bare", "version": "0.0.1", "license": "MIT" }',
      'bare/index.js': '',
    };
    for (const [path, text] of Object.entries(files)) {
      const file = join(root, 'node_modules', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  });

  function bundling(...files: string[]): Metafile[] {
    const inputs = Object.fromEntries(files.map((file) => [file, { bytes: 1, imports: [] }]));
    return [{ inputs, outputs: {} }];
  }

  test('have the license and the notice of each package, and of what it has bundled itself', async () => {
    const metafiles = bundling('src/main.ts', 'node_modules/a/dist/index.js');
    const text = await thirdPartyNotices({ root, metafiles, copied: [] });
    expect(text).toContain('a 1.2.3 (MIT)\n\nYou may use a.\n\na is made of b.\n');
    expect(text).toContain('@in/side 4.5.6 (ISC)\n\nYou may use what is inside.\n');
  });

  test('are refused for a package without a license text', async () => {
    const metafiles = bundling('node_modules/bare/index.js');
    await expect(thirdPartyNotices({ root, metafiles, copied: [] })).rejects.toThrow(
      'bare ships with Parley, and node_modules/bare has no license text.',
    );
  });
});
