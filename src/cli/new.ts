import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type Operation, until } from 'effection';
import {
  createNewTool,
  hasKit,
  needsKit,
  readKit,
  ToolFileExistsError,
  writeKit,
} from '../workspace/scaffold/index.ts';
import type { NewOptions } from './args.ts';
import { kitFolder } from './package-info.ts';
import { terminalLine } from './terminal-text.ts';

/** Writes a tool and its test from a template, with what its editor needs to know its types. Gives the exit code. */
export function* newTool({ name, template, folder }: NewOptions, cwd: string): Operation<number> {
  const home = resolve(cwd, folder);
  try {
    yield* until(mkdir(home, { recursive: true }));
    const { file } = yield* createNewTool(home, name, template);
    const dist = kitFolder();
    const parley = join(home, '.parley');
    if (dist !== undefined && (yield* needsKit(parley)) && !(yield* hasKit(parley, dist))) {
      yield* writeKit(parley, yield* readKit(dist));
    }
    const lines = [
      `Wrote ${relative(cwd, file)}, and a test of it in ${relative(cwd, join(dirname(dirname(file)), 'tests'))}.`,
      `Try it:  npx @modelcontextprotocol/inspector npx parley-mcp serve ${relative(cwd, home) || '.'}`,
      `Test it: cd ${relative(cwd, parley)} && npm test`,
    ];
    for (const line of lines) process.stdout.write(`${terminalLine(line)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ToolFileExistsError)) throw error;
    process.stderr.write(`parley-mcp: ${terminalLine(error.message)}\n`);
    return 1;
  }
}
