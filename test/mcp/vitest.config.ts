import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../vitest.shared.ts';

/** Real MCP clients against real servers: processes, ports, pipes. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      name: 'mcp',
      include: ['test/mcp/**/*.test.ts', 'test/attack/**/*.test.ts'],
      outputFile: { json: 'test-results/mcp.json' },
      // Whole servers start here, on two slow cores that others use, too.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // They wait half of their time.
      maxWorkers: 2,
      // Modules are loaded once a worker: they took half of what these tests take of a core.
      isolate: false,
    },
  }),
);
