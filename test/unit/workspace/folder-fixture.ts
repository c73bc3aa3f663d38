import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensure, type Operation, resource, until } from 'effection';

/** A folder on disk that is gone after the test. */
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
export function useFolder(files: Readonly<Record<string, string>> = {}): Operation<Folder> {
  return resource(function* (provide) {
    const path = yield* until(mkdtemp(join(tmpdir(), 'parley-')).then((made) => realpath(made)));
    yield* ensure(() => until(rm(path, { recursive: true, force: true })));
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
    yield* provide(folder);
  });
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
