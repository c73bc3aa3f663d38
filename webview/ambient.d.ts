/** VS Code's bridge; may be called once per page. */
declare function acquireVsCodeApi(): import('./page/port.ts').VsCodeApi;

/** The views of the shipped tools, by key; written by the build. */
declare module 'parley:views' {
  export const views: Readonly<Record<string, import('./views/view-registry.ts').ViewComponent>>;
}

declare module '*.css';
