import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder in the one of this run of the tests, with which it goes: no test removes it. */
export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'parley-'));
}
