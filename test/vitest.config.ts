import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { realViews } from './real-views.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The unit project. Tests that need a real VS Code are in test/host and test/e2e and run apart. */
export default defineConfig({
  root: source(''),
  plugins: [realViews({ root: source('') })],
  resolve: {
    alias: [
      { find: /^parley-mcp$/, replacement: source('src/core/index.ts') },
      { find: /^parley-mcp\/server$/, replacement: source('src/mcp/index.ts') },
      { find: /^parley-mcp\/testing$/, replacement: source('src/testing/index.ts') },
      { find: /^parley-mcp\/editor$/, replacement: source('src/core/editor.ts') },
      { find: /^parley-mcp\/webview$/, replacement: source('webview/api.ts') },
    ],
  },
  test: {
    name: 'unit',
    include: ['test/unit/**/*.test.{ts,tsx}'],
    setupFiles: [source('test/property-runs.ts')],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/unit.json' },
    // Two slow cores shared with other work: a test that hangs still fails, one that waits for a core does not.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
