import { glob } from 'node:fs/promises';
import type { Plugin } from 'vite';

/**
 * Gives component tests the module `parley:views` with the real components of every shipped view. (Imports of a
 * `*.view.tsx` file need nothing: without the build's view plugin they are the components themselves.)
 */
export function realViews({ root }: { root: string }): Plugin {
  const id = '\0parley:views';
  return {
    name: 'parley-real-views',
    resolveId: (source) => (source === 'parley:views' ? id : undefined),
    async load(loaded) {
      if (loaded !== id) return undefined;
      const files: string[] = [];
      for await (const file of glob('src/tools/**/*.view.tsx', { cwd: root })) files.push(file);
      const imports = files.map(
        (file, index) => `import * as file${index} from ${JSON.stringify(`${root}${file}`)};`,
      );
      const entries = files.map(
        (file, index) =>
          `for (const [name, view] of Object.entries(file${index})) views[\`parley:${file}#\${name}\`] = view;`,
      );
      return [...imports, 'export const views = {};', ...entries].join('\n');
    },
  };
}
