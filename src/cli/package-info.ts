import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this program lies: `dist` of the package, or `src/cli` of a checkout. */
const here = dirname(fileURLToPath(import.meta.url));

/** The version of `parley-mcp` that runs, from its `package.json`. */
export function packageVersion(): string {
  for (let dir = here; dir !== dirname(dir); dir = dirname(dir)) {
    const file = join(dir, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (name === 'parley-mcp') return version ?? '0.0.0';
  }
  return '0.0.0';
}

/** The folder with the files of `esbuild-wasm`, beside this program or as one of these folders has it installed. */
export function esbuildFolder(folders: readonly string[]): string | undefined {
  const shipped = builtFile('esbuild', 'lib', 'main.js');
  if (shipped !== undefined) return dirname(dirname(shipped));
  for (const from of [...folders.map((folder) => join(folder, 'package.json')), import.meta.url]) {
    try {
      return dirname(createRequire(from).resolve('esbuild-wasm/package.json'));
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** What a worker for tools runs. */
export function workerEntry(): string {
  return builtFile('tool-worker.js') ?? join(here, '..', 'isolation', 'tool-side', 'tool-worker.ts');
}

/** A file of the build beside this program; for the test kit, above it, or where the editor says that its own build is. */
function builtFile(...path: readonly string[]): string | undefined {
  const folders = [here, dirname(here), ...(process.env.PARLEY_DIST ? [process.env.PARLEY_DIST] : [])];
  return folders.map((folder) => join(folder, ...path)).find((file) => existsSync(file));
}

/** What the code of models runs in. */
export function codePlaces(): { readonly worker: string; readonly wasm: string } {
  const worker = join(here, 'code-worker.js');
  if (existsSync(worker)) return { worker, wasm: join(here, 'quickjs.wasm') };
  return {
    worker: join(here, '..', 'code', 'sandbox', 'code-worker.ts'),
    wasm: createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'),
  };
}

/** The built library, which packed programs are made of. @throws when it is not built */
export function libraryFolder(): string {
  const built = [join(here, 'lib'), join(here, '..', '..', 'dist', 'lib')].find((folder) =>
    existsSync(join(folder, 'parley-mcp-packed.js')),
  );
  if (built === undefined) throw new Error('The library is not built: run npm run build first.');
  return built;
}

/** Where the kit for authors of tools is; nothing where it did not come along. */
export function kitFolder(): string | undefined {
  return [here, join(here, '..', '..', 'dist')].find((folder) => existsSync(join(folder, 'author-kit.gz')));
}
