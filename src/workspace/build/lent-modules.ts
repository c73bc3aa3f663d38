/** A module as `require` gives it to CommonJS code made from ES modules. */
export type ModuleObject = Readonly<Record<string, unknown>>;

/**
 * The modules that Parley lends to workspace tools, so that they need no `npm install` and share one Effection with what
 * runs them. Everything else comes from the workspace's `node_modules`. Loaded with the first tool that asks for them.
 *
 * All of zod is a copy of its own (see `build/bundles.ts`): never test a tool's schema with `instanceof`.
 */
export const LENT_TO_HOST: Readonly<Record<string, () => Promise<object>>> = {
  'parley-mcp': () => import('../../core/index.ts'),
  'parley-mcp/editor': () => import('../../core/editor.ts'),
  // Types only outside the page.
  'parley-mcp/webview': () => Promise.resolve({}),
  effection: () => import('effection'),
  zod: () => import('#zod'),
  'zod/v4': () => import('#zod'),
  react: () => import('react'),
  'react/jsx-runtime': () => import('react/jsx-runtime'),
};

/** What a tool cannot import, and what it does instead. */
export const NOT_FOR_TOOLS: Readonly<Record<string, string>> = {
  vscode:
    "a tool runs in any MCP client, where there is no 'vscode': take what you need from 'parley-mcp/editor'",
  'parley-mcp/server': "'parley-mcp/server' serves tools: use it in a program of yours, not inside a tool",
  'parley-mcp/chat': "'parley-mcp/chat' holds conversations: use it in a program of yours, not inside a tool",
  'parley-mcp/inline': "'parley-mcp/inline' is for handlers of other servers: write a tool here",
  'parley-mcp/stores': "'parley-mcp/stores' keeps calls: use it in a program of yours, not inside a tool",
  'parley-mcp/postgres': "'parley-mcp/postgres' keeps calls: use it in a program of yours, not inside a tool",
  'parley-mcp/testing':
    "'parley-mcp/testing' is for tests: call your file *.test.ts, and it is not loaded as a tool",
};

/** The module as CommonJS code made by esbuild reads it: names as they are, and `default` as its default. */
export function lentObject(module: object): ModuleObject {
  return Object.freeze(Object.defineProperty({ ...module }, '__esModule', { value: true }));
}
