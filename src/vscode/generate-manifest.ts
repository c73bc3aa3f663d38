/**
 * Writes the generated fields into `package.json`, `package.nls.json` and `l10n/bundle.l10n.json`, and brings translations up to date.
 * Run: `npm run manifest`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createBundle } from './manifest/l10n.ts';
import { createManifest, mergeManifest } from './manifest/manifest.ts';
import { textSources } from './manifest/text-sources.ts';
import { stillCurrent, translationsIn, untranslated } from './manifest/translations.ts';

const root = new URL('../../', import.meta.url);
const manifest = createManifest();
const packageJson = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<
  string,
  unknown
>;

write('package.json', mergeManifest(packageJson, manifest));
write('package.nls.json', manifest.nls);
mkdirSync(new URL('l10n', root), { recursive: true });
write('l10n/bundle.l10n.json', createBundle(textSources(root)));
for (const translation of translationsIn(root)) write(translation.file, stillCurrent(translation));
write('l10n/untranslated.json', untranslated(translationsIn(root)));

function write(path: string, value: unknown): void {
  writeFileSync(new URL(path, root), `${JSON.stringify(value, undefined, 2)}\n`);
}
