// Prints the names of all tests, as their files say them: nothing is run. `{ name, file, long }`, as JSON.
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
const tests = modules.flatMap(({ relativeModuleId: file, children }) =>
  Array.from(children.allTests(), ({ fullName, tags }) => ({
    name: `${file} > ${fullName}`,
    file,
    long: tags.includes(LONG_TAG) || fullName.includes(`@${LONG_TAG}`),
  })),
);
await vitest.close();
process.stdout.write(JSON.stringify(tests));
