// npm run layers: writes what follows from layers.json: Biome's rules and the table of the architecture page.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { biomeFile, withTable } from './layers.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs', 'architecture.md');
await writeFile(join(root, 'biome.layers.json'), biomeFile());
await writeFile(page, withTable(await readFile(page, 'utf8')));
