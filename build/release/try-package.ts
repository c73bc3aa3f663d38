/**
 * Publishes an npm package to a registry on this machine, and uses it as others will: in a project, and outside of any by `npx`.
 * Run: `node build/release/try-package.ts FILE`.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { npm } from '../../test/harness/npm.ts';
import { npmRegistry } from '../../test/harness/npm-registry.ts';

const { name, version } = manifest;
const file = resolve(process.argv[2] ?? '');
const registry = await npmRegistry(name);

const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
try {
  const place = (project: string) => {
    const at = join(folder, project);
    mkdirSync(at);
    writeFileSync(join(at, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(join(at, '.npmrc'), registry.settings);
    return at;
  };
  const project = place('project');
  await npm('Publishing', ['publish', file], project);
  await npm('Installing', ['install', '--prefer-offline', `${name}@${version}`, 'effection', 'zod'], project);
  const entries = Object.keys(manifest.exports).filter((entry) => !/webview|json/.test(entry));
  const load = entries.map((entry) => `await import('${name}${entry.slice(1)}');`).join('\n');
  writeFileSync(join(project, 'load.js'), load);
  for (const written of ['llms.txt', 'docs/api/parley-mcp.md']) {
    if (!existsSync(join(project, 'node_modules', name, written)))
      throw new Error(`The package lacks ${written}: npm run docs:api writes it.`);
  }
  await npm('Loading', ['exec', '--', 'node', 'load.js'], project);
  const said = await npm(
    'Starting',
    ['exec', '--yes', '--prefer-offline', `${name}@${version}`, '--', '--version'],
    place('elsewhere'),
  );
  if (!said.includes(version)) throw new Error(`npx ${name} --version says ${said.trim()}, not ${version}.`);
  console.log(
    `${name} ${version} was published to a registry on this machine, installed from it, and started by npx.`,
  );
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}
