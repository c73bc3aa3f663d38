import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Operation, until } from 'effection';
import { tempFolder } from '#test/temp-folder.ts';

/** A folder on disk that is gone after the tests. */
export interface Folder {
  readonly path: string;
  /** Absolute path of a file in it. */
  file(name: string): string;
  write(files: Readonly<Record<string, string>>): Operation<void>;
  remove(name: string): Operation<void>;
  /** Has it that a file was written a minute ago: what is a moment old when it is loaded may have changed meanwhile. */
  age(name: string): Operation<void>;
}

/** A temporary folder with files in it, which are a minute old. */
export function* useFolder(files: Readonly<Record<string, string>> = {}): Operation<Folder> {
  const path = tempFolder();
  const folder: Folder = {
    path,
    file: (name) => join(path, name),
    *write(files) {
      for (const [name, text] of Object.entries(files)) {
        yield* until(mkdir(dirname(join(path, name)), { recursive: true }));
        yield* until(writeFile(join(path, name), text));
      }
    },
    *remove(name) {
      yield* until(rm(join(path, name), { recursive: true }));
    },
    *age(name) {
      const then = Date.now() / 1000 - 60;
      yield* until(utimes(join(path, name), then, then));
    },
  };
  yield* folder.write(files);
  for (const name of Object.keys(files)) yield* folder.age(name);
  return folder;
}

/** The source of a tool that returns `result`, an expression. */
export function toolSource(name: string, result = `'${name}'`, imports = ''): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
${imports}
export const tool = createMcpTool('${name}')
  .description('A tool of a test.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return ${result};
  });
`;
}
