import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vitest.shared.ts';

/** The unit tests. Those that need a real VS Code are in test/host and test/e2e and run apart. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      outputFile: { json: 'test-results/unit.json' },
      // Most of them wait for a process, a browser or a timer half of their time.
      maxWorkers: 2,
      projects: [
        // Modules are loaded once a worker, not once a file: most of the time went into that.
        { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false } },
        // A call is the same wherever its code runs: what journals are tested with runs once more with it at the other end of a line.
        {
          extends: true,
          test: {
            name: 'elsewhere',
            include: ['test/unit/runtime/journal/*.test.ts'],
            // A tool that is called as a value runs where its caller does: those of other servers are called by name there.
            exclude: ['**/foreign-calls.test.ts'],
            env: { PARLEY_TOOLS: 'elsewhere' },
            isolate: false,
          },
        },
        // A page has custom elements and the keyboard's focus, which are there once a window.
        {
          extends: true,
          test: { name: 'page', include: ['test/unit/**/*.test.tsx'] },
        },
      ],
    },
  }),
);
