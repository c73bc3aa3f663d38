import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Operation, until } from 'effection';
import { buildProblems } from '../../workspace/build/build-problems.ts';
import { viewReferences } from '../../workspace/build/views/view-plugin.ts';
import type { Esbuild } from '../../workspace/bundler/esbuild-service.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import type { BuildMessage, BundlerPlugin } from '../modules/bundler.ts';
import { libraryFolder } from '../package-info.ts';
import type { PackedInfo } from './entry.ts';

/** What came of it; without a program nothing could be built. */
export interface BundledProgram {
  readonly program: Uint8Array | undefined;
  readonly problems: readonly Problem[];
}

/** Node's own `require`, for CommonJS packages in an ES module. */
const BANNER =
  "import { createRequire as parleyRequire } from 'node:module'; const require = parleyRequire(import.meta.url);";

/** Bundles modules with all that they import, Parley's server included, into one ES module that `node` runs. */
export function* bundleProgram(
  esbuild: Esbuild,
  files: readonly string[],
  folder: string,
  info: PackedInfo,
): Operation<BundledProgram> {
  const lines = files.map((file, index) => `import * as m${index} from ${JSON.stringify(file)};`);
  const list = files.map((_, index) => `m${index}`).join(', ');
  const building = esbuild.build({
    absWorkingDir: folder,
    stdin: {
      contents: `import { servePacked } from 'parley-mcp/packed';\n${lines.join('\n')}\nawait servePacked(${JSON.stringify(info)}, [${list}]);\n`,
      resolveDir: folder,
      sourcefile: 'parley-program.mjs',
    },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: BANNER },
    jsx: 'automatic',
    minifySyntax: true,
    keepNames: true,
    legalComments: 'inline',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty', '.svg': 'text', '.md': 'text', '.txt': 'text' },
    plugins: [ourLibrary(), viewReferences({ id: folder, dir: folder }, new Map())],
  });
  const outcome = yield* until(building.catch((failure: { errors?: readonly BuildMessage[] }) => failure));
  if (!('outputFiles' in outcome)) {
    if (!outcome.errors) throw outcome;
    return { program: undefined, problems: buildProblems(outcome.errors, 'error', folder) };
  }
  const problems = buildProblems(outcome.warnings, 'warning', folder);
  const beside = yield* until(
    readsBeside(Object.keys(outcome.metafile.inputs).map((input) => join(folder, input))),
  );
  if (beside.length > 0) return { program: undefined, problems: [...problems, ...beside] };
  return { program: outcome.outputFiles?.[0]?.contents, problems };
}

/** How code names files beside its own. */
const BESIDE =
  /\bnew URL\(\s*['"`]\.{1,2}\/[^)]*import\.meta\.url|\bimport\.meta\.(?:dirname|filename)\b|(?<![\w$.])__(?:dir|file)name\b/;

/** Where authors' files look for others beside them: a packed program is one file, and has none. */
async function readsBeside(files: readonly string[]): Promise<readonly Problem[]> {
  const own = files.filter(
    (file) =>
      !file.startsWith(libraryFolder()) &&
      /\.[cm]?[jt]sx?$/.test(file) &&
      !/[\\/]node_modules[\\/]/.test(file),
  );
  const looking = own.map(async (file): Promise<readonly Problem[]> => {
    const lines = withoutComments(await readFile(file, 'utf8').catch(() => '')).split('\n');
    const line = lines.findIndex((text) => BESIDE.test(text)) + 1;
    const found = BESIDE.exec(lines[line - 1] ?? '');
    if (!found) return [];
    const message =
      "a packed program has no files beside it: import the file, such as `import text from './text.md'` (.md, .txt, .svg, .json), or leave its path out";
    const place = { file, line, column: found.index + 1, length: found[0].length };
    return [{ kind: 'build', severity: 'error', ...place, message }];
  });
  return (await Promise.all(looking)).flat();
}

/** Each line of code where it was, without those that are comments. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
}

/** Says that a path is being resolved by us already. */
const OURS = 'resolved from the library';

/** `parley-mcp` and what it shares with tools come from this installation: one copy of each, and nothing to install. */
function ourLibrary(): BundlerPlugin {
  const lib = libraryFolder();
  return {
    name: 'parley-library',
    setup(build) {
      build.onResolve({ filter: /^parley-mcp(\/[\w-]+)?$/ }, ({ path }) => ({
        path: join(lib, `${path.replaceAll('/', '-')}.js`),
      }));
      build.onResolve({ filter: /^(effection|zod|react)(\/.*)?$/ }, async ({ path, kind, pluginData }) => {
        if (pluginData === OURS) return undefined;
        const found = await build.resolve(path, { resolveDir: lib, kind, pluginData: OURS });
        // What is taken for free of side effects is not begun where it is imported both now and later.
        return { ...found, sideEffects: true };
      });
    },
  };
}
