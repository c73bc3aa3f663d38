import { readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';

// Modules are loaded once a worker. A file that makes an editor of its own gets them with that one, and not with an earlier file's.
const { testPath } = expect.getState();
if (testPath && readFileSync(testPath, 'utf8').includes("vi.mock('vscode'")) vi.resetModules();
