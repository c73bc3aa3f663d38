// What a model reads first, beside the README of the package: npm run docs:api writes it together with the API reference.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { llmsText } from './llms.ts';
import { readSections } from './pages.ts';

writeFileSync(
  join(root, 'llms.txt'),
  llmsText(readFileSync(join(root, 'README.md'), 'utf8'), readSections(root)),
);
