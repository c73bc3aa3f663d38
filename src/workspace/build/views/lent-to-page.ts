/**
 * The modules that the page lends to views: it puts them where `webview/shared-modules.ts` says. Here they are for the names that they
 * export; what is only in the page has none.
 */
export const LENT_TO_PAGE: Readonly<Record<string, () => Promise<object>>> = {
  react: () => import('react'),
  'react/jsx-runtime': () => import('react/jsx-runtime'),
  'react-dom': () => import('react-dom'),
  'parley-mcp/webview': () => Promise.resolve({}),
};
