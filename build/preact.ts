/**
 * What bundles of the page take in place of React, by module name. Preact has React's API in a twentieth of its size: a panel loads its
 * script anew, and a person waits for that. Sources keep saying `react`, as authors of views do.
 *
 * Source: Preact, "Aliasing React to Preact".
 */
export const preactForReact: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
};
