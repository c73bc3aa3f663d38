/** Writes the generated fields into `package.json`, and `package.nls.json`. Run: `node src/vscode/generate-manifest.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createManifest, mergeManifest } from './manifest/manifest.ts';

const packagePath = new URL('../../package.json', import.meta.url);
const manifest = createManifest();
const packageJson = JSON.parse(readFileSync(packagePath, 'utf8')) as Record<string, unknown>;
write(packagePath, mergeManifest(packageJson, manifest));
write(new URL('../../package.nls.json', import.meta.url), manifest.nls);

function write(path: URL, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
