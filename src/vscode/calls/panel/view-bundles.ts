import type { FindBundle } from '../../../panel/resolve-views.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import type { RunWindow } from './window.ts';

/** Where the bundles of views are, which a page loads. */
export interface ViewBundles {
  readonly registry: Pick<ToolRegistry, 'viewBundle' | 'get'>;
  /** The folder that holds them all. */
  readonly viewsDir: string;
}

/** Finds bundles as a window's page loads them; none without a window. */
export function bundlesFor({ registry }: ViewBundles, shown: () => RunWindow | undefined): FindBundle {
  return (key) => {
    const bundle = registry.viewBundle(key);
    const window = shown();
    if (!bundle || !window) return undefined;
    const style = bundle.style === undefined ? {} : { style: window.uriOf(bundle.style) };
    return { script: window.uriOf(bundle.script), ...style };
  };
}
