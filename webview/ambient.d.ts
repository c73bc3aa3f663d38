/** VS Code's bridge; may be called once per page. */
declare function acquireVsCodeApi(): import('./page/port.ts').VsCodeApi;

/** The views of the shipped tools, by key; written by the build. */
declare module 'parley:views' {
  export const views: Readonly<Record<string, import('./views/view-registry.ts').ViewComponent>>;
}

/** Codicons as images, for where no font may be loaded; written by the build. */
declare module 'parley:icons.css';

declare module '*.css';
