import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import * as api from './api.ts';

/** Where view bundles of a workspace find what they must not bring a second copy of. */
export const SHARED_MODULES = Symbol.for('parley.webview.modules');

/**
 * Puts the page's own React and `parley-mcp/webview` where view bundles look for them, by module name. Hooks of a second React
 * would not work inside this one.
 */
export function shareModules(target: object = globalThis): void {
  Object.defineProperty(target, SHARED_MODULES, {
    value: Object.freeze({
      react: React,
      'react/jsx-runtime': jsxRuntime,
      'react-dom': ReactDOM,
      'parley-mcp/webview': api,
    }),
  });
}
