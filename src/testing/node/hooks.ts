/**
 * Views and texts in tests of tools, where Node runs them as they are: a view stands for itself by its name, as in the editor's own
 * process, and a text or a style is a text. So a plugin is tested with nothing installed. It has to be loaded before the tests:
 * `node --import parley-mcp/testing --test`.
 */
import { readFileSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

const VIEW = /\.view\.[jt]sx$/;
const TEXT = /\.(svg|md|txt)$/;

// Node has it from 22.15 on; before, plugins with views are not tested here.
module.registerHooks?.({
  load(url, context, next) {
    const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : '';
    if (VIEW.test(path)) return asModule(viewsOf(readFileSync(path, 'utf8')));
    if (TEXT.test(path)) return asModule(`export default ${JSON.stringify(readFileSync(path, 'utf8'))};`);
    if (path.endsWith('.css')) return asModule('');
    return next(url, context);
  },
});

/** The components that a view file exports, each as a function of its name that draws nothing. */
function viewsOf(source: string): string {
  const declared = source.matchAll(/^export\s+(?:async\s+)?(?:function|const|let|class)\s+(\w+)/gm);
  const listed = source.matchAll(/^export\s*\{([^}]*)\}/gm);
  const names = new Set(Array.from(declared, ([, name = '']) => name));
  for (const [, list = ''] of listed) for (const [name] of list.matchAll(/\w+(?=\s*(,|$))/g)) names.add(name);
  const whole = names.delete('default') || /^export\s+default\b/m.test(source);
  return [
    ...Array.from(names, (name) => `export function ${name}() { return null; }`),
    ...(whole ? ['export default () => null;'] : []),
  ].join('\n');
}

function asModule(source: string): module.LoadFnOutput {
  return { format: 'module', source, shortCircuit: true };
}
