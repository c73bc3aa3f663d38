#!/usr/bin/env node
import * as modules from 'node:module';
import { cacheFolder } from './cache-folder.ts';
import { tooOldNode } from './node-version.ts';
import { startCommand } from './start.ts';

const tooOld = tooOldNode(process.versions.node);
if (tooOld) {
  process.stderr.write(`parley-mcp: ${tooOld}\n`);
  process.exitCode = 1;
} else {
  // Before anything that is worth it is loaded. Not in Node's own folder, which is one for all users of a machine.
  const code = cacheFolder('code');
  if (code !== undefined) modules.enableCompileCache(code);
  startCommand(new URL(import.meta.url), process.argv.slice(2));
}
