// Prints the names of all tests, as their files say them: nothing is run. `{ name, long, rows }`, as JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { LONG_TAG, tags } from '../rings.ts';
import { repoRoot } from './paths.ts';

const vitest = await createVitest({
  config: false,
  root: repoRoot,
  include: ['test/**/*.test.{ts,tsx}', 'test/unit/stores/contract/*.ts'],
  reporters: [],
  watch: false,
  tags,
});
const modules = await vitest.parseSpecifications(await vitest.globTestSpecifications());
const tests = modules.flatMap(({ relativeModuleId: file, children }) => {
  const text = readFileSync(join(repoRoot, file), 'utf8');
  const rows = /\binRings[(<]/.test(text);
  const named = Array.from(children.allTests(), ({ fullName, tags }) => ({
    name: `${file} > ${fullName}`,
    long: tags.includes(LONG_TAG) || fullName.includes(`@${LONG_TAG}`),
    rows,
  }));
  // A file whose tests are those of a contract says none itself.
  return named.length > 0 ? named : [{ name: file, long: text.includes(`@module-tag ${LONG_TAG}`), rows }];
});
await vitest.close();
process.stdout.write(JSON.stringify(tests));
