import { pathToFileURL } from 'node:url';
import type { BuiltModule } from '../../workspace/build/built-module.ts';
import { sourcePath } from '../../workspace/build/source-path.ts';

/** A module whose code says, to debuggers, where in the author's files it comes from. */
export function withInlineMap(module: BuiltModule, outDir: string): BuiltModule {
  const map = JSON.parse(module.map) as { sources?: readonly string[] };
  const sources = (map.sources ?? []).map((source) => pathToFileURL(sourcePath(outDir, source)).href);
  const json = JSON.stringify({ ...map, sources, sourceRoot: '' });
  const data = Buffer.from(json).toString('base64');
  return {
    ...module,
    code: `${module.code}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${data}`,
  };
}
