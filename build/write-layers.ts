// npm run layers: writes the table of the architecture page, which follows from layers.json.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTable } from './layers.ts';
import { root } from './paths.ts';

const page = join(root, 'docs', 'architecture.md');
await writeFile(page, withTable(await readFile(page, 'utf8')));
