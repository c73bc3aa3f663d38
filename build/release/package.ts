/**
 * Packages what `node esbuild.mjs --minify` has built. Run: `npm run package`, with `--pre-release` and `--out FILE`.
 * It packs a copy, in which the README, and each page beside it, is as the extension's page can show it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publication } from '../../src/vscode/manifest/publication.ts';
import { root } from '../paths.ts';
import { packedReadme } from './packed-readme.ts';

const { values } = parseArgs({
  options: { 'pre-release': { type: 'boolean', default: false }, out: { type: 'string' } },
});
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const out = resolve(values.out ?? join(root, `${name}-${version}.vsix`));

const listed = execFileSync(process.execPath, [vsce, 'ls', '--no-dependencies'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.trim().split(/\r?\n/);
const copy = mkdtempSync(join(tmpdir(), 'parley-package-'));
try {
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  for (const page of files.filter((file) => /^[^/]+\.md$/i.test(file))) {
    const text = readFileSync(join(root, page), 'utf8');
    const packed = packedReadme(text, publication.repository, (path) => readFileSync(join(root, path)));
    writeFileSync(join(copy, page), packed);
  }
  withoutScripts(join(copy, 'package.json'));
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', out];
  if (publication.repository === undefined) args.push('--allow-missing-repository');
  if (values['pre-release']) args.push('--pre-release');
  execFileSync(process.execPath, [vsce, ...args], { cwd: copy, stdio: 'inherit' });
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** What has been built is not built again: vsce would run `prepack`'s like, and the copy has no sources. */
function withoutScripts(path: string): void {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
