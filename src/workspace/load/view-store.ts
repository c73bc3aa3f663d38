import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensure, type Operation, resource, until } from 'effection';
import type { BuiltViews } from '../build/built-folder.ts';
import { builtZod, ZOD_BESIDE } from '../build/zod-file.ts';
import type { ViewBundle } from '../registry/view-bundle.ts';
import type { StackMaps } from './stack-maps.ts';

/** View bundles of a folder on disk, where the page can load them. */
export interface ViewStore {
  /** @param inUse hashes of bundles that tools on offer still refer to */
  write(views: BuiltViews, inUse: ReadonlySet<string>): Operation<ViewBundle>;
}

/** How many more bundles are kept: a running call may still show a view of the build it started with. */
const KEPT = 20;

/** A folder of view bundles as a resource: emptied when it begins and when it ends. */
export function useViewStore(
  dir: string,
  { stackMaps, sources }: { stackMaps: StackMaps; sources: string },
): Operation<ViewStore> {
  return resource(function* (provide) {
    const bundles = new Map<string, ViewBundle>();
    const remove = (path: string) => until(rm(path, { recursive: true, force: true }));
    yield* remove(dir);
    yield* ensure(() => remove(dir));

    yield* provide({
      *write({ hash, script, style, map }, inUse) {
        const known = bundles.get(hash);
        if (known) {
          // The youngest again.
          bundles.delete(hash);
          bundles.set(hash, known);
          return known;
        }
        if (bundles.size === 0) yield* begin();
        const bundle: ViewBundle = {
          hash,
          script: join(dir, `views-${hash}.js`),
          style: style === undefined ? undefined : join(dir, `views-${hash}.css`),
        };
        yield* until(writeFile(bundle.script, script));
        if (bundle.style !== undefined) yield* until(writeFile(bundle.style, style ?? ''));
        stackMaps.add(`/views-${hash}.js`, map, sources);
        bundles.set(hash, bundle);
        yield* forgetOldest(inUse);
        return bundle;
      },
    });

    function* begin(): Operation<void> {
      yield* until(mkdir(dir, { recursive: true }));
      const zod = builtZod();
      if (zod !== undefined) yield* until(copyFile(zod, join(dir, ZOD_BESIDE)));
    }

    function* forgetOldest(inUse: ReadonlySet<string>): Operation<void> {
      const spare = [...bundles.values()].filter(({ hash }) => !inUse.has(hash));
      for (const bundle of spare.slice(0, -KEPT)) {
        bundles.delete(bundle.hash);
        yield* remove(bundle.script);
        if (bundle.style !== undefined) yield* remove(bundle.style);
      }
    }
  });
}
