// npm run build:types: takes out of `dist/types` what no public entry point leads to, which is most of it.
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dist } from '../paths.ts';
import { publicTypes } from './public-types.ts';

const reached = publicTypes();
for (const file of globSync('types/**/*.d.ts', { cwd: dist })) {
  if (!reached.has(join(dist, file))) rmSync(join(dist, file));
}
