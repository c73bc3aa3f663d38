import type { ComponentType } from 'react';
import type { ViewRef } from '../../src/panel-port/index.ts';

/** A view's component; the host checked its props when the handler was compiled. */
// biome-ignore lint/suspicious/noExplicitAny: components of all props meet here, and `never` would refuse to render.
export type ViewComponent = ComponentType<any>;

/** The views a page can render, by key. */
export interface ViewRegistry {
  register(key: string, component: ViewComponent): void;
  lookup(key: string): ViewComponent | undefined;
  /** The view's component, with its bundle imported if it comes in one. Rejects with {@link ViewNotFoundError}. */
  load(view: ViewRef): Promise<ViewComponent>;
}

/** How bundles get into the page; tests give their own. */
export interface BundleLoader {
  script(uri: string): Promise<unknown>;
  style(uri: string): Promise<void>;
}

/** No view of this key is in the page or in the bundle that should hold it. */
export class ViewNotFoundError extends Error {
  override readonly name = 'ViewNotFoundError';
  readonly code = 'view_not_found';

  constructor(key: string, cause?: unknown) {
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    super(`The view “${key}” is not part of this panel${why}. Save the tool again, or reload the window.`, {
      cause,
    });
  }
}

/** Makes the registry of a page. Shipped views are added as the page starts, workspace views are loaded when they are first shown. */
export function createViewRegistry(loader: BundleLoader = browserLoader): ViewRegistry {
  const views = new Map<string, ViewComponent>();
  const bundles = new Map<string, Promise<void>>();

  const importBundle = (bundle: NonNullable<ViewRef['bundle']>): Promise<void> => {
    const known = bundles.get(bundle.script);
    if (known) return known;
    const loading = Promise.all([
      loader.script(bundle.script),
      bundle.style === undefined ? undefined : loader.style(bundle.style),
    ]).then(([module]) => {
      for (const [key, component] of Object.entries(viewsOf(module))) views.set(key, component);
    });
    bundles.set(bundle.script, loading);
    // A bundle that could not be fetched is tried again with the next rendering.
    loading.catch(() => bundles.delete(bundle.script));
    return loading;
  };

  return {
    register: (key, component) => void views.set(key, component),
    lookup: (key) => views.get(key),
    async load({ key, bundle }) {
      if (!views.has(key) && bundle) {
        await importBundle(bundle).catch((error: unknown) => {
          throw new ViewNotFoundError(key, error);
        });
      }
      const view = views.get(key);
      if (!view) throw new ViewNotFoundError(key);
      return view;
    },
  };
}

/** A bundle exports `views`, a component by key. */
function viewsOf(module: unknown): Record<string, ViewComponent> {
  const views = (module as { views?: Record<string, ViewComponent> } | undefined)?.views;
  if (typeof views !== 'object' || views === null) throw new Error('its bundle has no `views`');
  return views;
}

const browserLoader: BundleLoader = {
  script: (uri) => import(uri),
  style: (uri) =>
    new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = uri;
      link.onload = () => resolve();
      link.onerror = () => reject(new Error(`its stylesheet cannot be loaded: ${uri}`));
      document.head.append(link);
    }),
};
