import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { order } from './order.ts';
import { PATIENCE } from './patience.ts';
import { realViews } from './real-views.ts';
import { tags } from './rings.ts';
import { root } from './root.ts';

const source = (path: string) => join(root, path);

// All that tests, and what they start, leave in the temp folder goes when they have run, also when they fail.
const temp = mkdtempSync(join(realpathSync(tmpdir()), 'parley-'));
// PostgreSQL runs as an account of its own.
chmodSync(temp, 0o711);
process.once('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }));

/** What all tests that run without VS Code have in common. */
export const shared = defineConfig({
  root,
  plugins: [realViews({ root })],
  resolve: {
    alias: [
      { find: /^parley-mcp$/, replacement: source('src/core/index.ts') },
      { find: /^parley-mcp\/server$/, replacement: source('src/mcp/index.ts') },
      { find: /^parley-mcp\/chat$/, replacement: source('src/chat/index.ts') },
      { find: /^parley-mcp\/inline$/, replacement: source('src/inline/index.ts') },
      { find: /^parley-mcp\/stores$/, replacement: source('src/stores/index.ts') },
      { find: /^parley-mcp\/postgres$/, replacement: source('src/stores/postgres/index.ts') },
      { find: /^parley-mcp\/testing$/, replacement: source('src/testing/index.ts') },
      { find: /^parley-mcp\/editor$/, replacement: source('src/core/editor.ts') },
      { find: /^parley-mcp\/webview$/, replacement: source('webview/api.ts') },
    ],
  },
  test: {
    setupFiles: ['own-editor', 'property-runs', 'wait-patiently'].map((name) => source(`test/${name}.ts`)),
    expect: { poll: { timeout: PATIENCE } },
    sequence: order,
    tags,
    reporters: ['default', 'json'],
    // Nothing of a test is listed to whoever runs it.
    env: { PARLEY_INBOX: 'none', TMPDIR: temp, TEMP: temp },
    // Two slow cores shared with other work: a test that hangs still fails, one that waits for a core does not.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
