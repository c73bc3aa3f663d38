import { defineConfig } from 'vitest/config';
import { order } from '../order.ts';
import { tags } from '../rings.ts';
import { root } from '../root.ts';

/** End-to-end tests: the real workbench in a real browser, one server a run, one window a test, one at a time. */
export default defineConfig({
  root,
  test: {
    name: 'e2e',
    include: ['test/e2e/**/*.test.ts'],
    // PARLEY_SCREENSHOTS=1 takes the documentation's pictures.
    exclude: process.env.PARLEY_SCREENSHOTS === '1' ? [] : ['test/e2e/{pictures,moving-picture}.test.ts'],
    globalSetup: ['test/e2e/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    retry: 0,
    sequence: order,
    tags,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['verbose', 'json'],
    outputFile: { json: 'test-results/e2e.json' },
    // Two slow cores: a window may take a minute to open, and the first build of its tools longer.
    testTimeout: 480_000,
    hookTimeout: 480_000,
    teardownTimeout: 30_000,
  },
});
