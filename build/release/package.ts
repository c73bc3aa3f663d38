/**
 * Packages what `node esbuild.mjs --minify` has built: the `.vsix`, or with `--npm` the npm package. Run: `npm run package`, with
 * `--pre-release` and `--out FILE`. It packs a copy, in which the README, and each page beside it, is as the pages of both can show it.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publication } from '../../src/vscode/manifest/publication.ts';
import { npm } from '../../test/harness/npm.ts';
import { root } from '../paths.ts';
import { packedReadme } from './packed-readme.ts';

const { values } = parseArgs({
  options: {
    'pre-release': { type: 'boolean', default: false },
    npm: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const out = resolve(values.out ?? join(root, `${name}-${version}.${values.npm ? 'tgz' : 'vsix'}`));

const copy = mkdtempSync(join(tmpdir(), 'parley-package-'));
try {
  const files = values.npm
    ? await publishedFiles()
    : vsce(['ls', '--no-dependencies'], root).trim().split(/\r?\n/);
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  for (const page of files.filter((file) => /^[^/]+\.md$/i.test(file))) {
    writeFileSync(
      join(copy, page),
      packedReadme(readFileSync(join(root, page), 'utf8'), publication.repository),
    );
  }
  withoutScripts(join(copy, 'package.json'));
  if (values.npm) await packForNpm();
  else packForEditor();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function packForEditor(): void {
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', out];
  if (publication.repository === undefined) args.push('--allow-missing-repository');
  if (values['pre-release']) args.push('--pre-release');
  console.log(vsce(args, copy));
}

async function packForNpm(): Promise<void> {
  await npm('Packing', ['pack'], copy);
  mkdirSync(dirname(out), { recursive: true });
  copyFileSync(join(copy, `${name}-${version}.tgz`), out);
  console.log(`Packaged: ${out}`);
}

async function publishedFiles(): Promise<string[]> {
  const said = await npm('Listing', ['pack', '--dry-run', '--json', '--ignore-scripts'], root);
  const [{ files }] = JSON.parse(said.slice(said.indexOf('[\n'))) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

function vsce(args: readonly string[], cwd: string): string {
  const program = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  return execFileSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' });
}

/** What has been built is not built again: vsce and npm would run `prepack`'s like, and the copy has no sources. */
function withoutScripts(path: string): void {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
