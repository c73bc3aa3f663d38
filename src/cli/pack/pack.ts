import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Operation, scoped, until } from 'effection';
import { makeFolder } from '../../stores/make-folder.ts';
import { printOf } from '../../workspace/files/print-of.ts';
import type { PackOptions } from '../args.ts';
import type { Collection } from '../collect.ts';
import { useBundler } from '../modules/bundler.ts';
import { commonFolder } from '../modules/load-modules.ts';
import { UsageError } from '../options.ts';
import { problemLines } from '../report.ts';
import { terminalLine } from '../terminal-text.ts';
import { bundleProgram } from './bundle-program.ts';
import { mcpbOf } from './mcpb.ts';
import { agentPlugin } from './plugin.ts';

/** Writes modules as one file: a program that `node` runs, or a bundle that clients install; or as the folder of a plugin. Gives the exit code. */
export function* pack(
  files: readonly string[],
  collection: Collection,
  options: PackOptions,
  cwd: string,
): Operation<number> {
  const info = { name: options.name ?? nameFor(cwd), version: options.packVersion };
  const { program, problems } = yield* scoped(function* () {
    return yield* bundleProgram(yield* useBundler(commonFolder(files)), files, cwd, info);
  });
  for (const line of problemLines(problems, cwd)) process.stderr.write(`${line}\n`);
  if (!program) return 1;
  const { author, form } = options;
  const description = options.description ?? `Tools of ${info.name}`;
  const out = resolve(cwd, options.out ?? `${info.name}${SUFFIX[form]}`);
  const bundle =
    form === 'mcpb' ? mcpbOf(program, { ...info, author: author ?? '', description }, collection) : program;
  const written =
    form === 'plugin' ? agentPlugin(program, { ...info, author, description }, collection) : { '': bundle };
  const there = options.force
    ? []
    : yield* until(existing(Object.keys(written).map((path) => join(out, path))));
  if (there[0] !== undefined)
    throw new UsageError(
      `${relative(cwd, there[0])} is there already: write over it with --force, or give another --out`,
    );
  for (const [path, content] of Object.entries(written)) {
    const file = join(out, path);
    makeFolder(dirname(file), 0o777);
    yield* until(writeFile(file, content));
  }
  const size = `${(bundle.length / 2 ** 20).toFixed(1)} MB`;
  const how = {
    program: `run it with: node ${relative(cwd, out)}`,
    mcpb: 'open it in a client that takes .mcpb files',
    plugin: 'an Agent Plugin, which VS Code and others install from a folder or a repository',
  }[form];
  process.stdout.write(`${terminalLine(`Wrote ${relative(cwd, out)} (${size}): ${how}`)}\n`);
  return 0;
}

async function existing(files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(files.map(async (file) => ((await printOf(file)) === '' ? [] : [file])));
  return found.flat();
}

const SUFFIX = { program: '.mjs', mcpb: '.mcpb', plugin: '' } as const;

/** A name that a file and a client can bear. */
function nameFor(folder: string): string {
  return (
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'tools'
  );
}
