/** Entry points by the names that they are imported by, where typedoc would name them after their folders. */
const NAMES = {
  'src/core': 'parley-mcp',
  'src/core/editor': 'parley-mcp/editor',
  'src/mcp': 'parley-mcp/server',
  'src/chat': 'parley-mcp/chat',
  'src/inline': 'parley-mcp/inline',
  'src/stores': 'parley-mcp/stores',
  'src/stores/postgres': 'parley-mcp/postgres',
  'src/testing': 'parley-mcp/testing',
  'webview/api': 'parley-mcp/webview',
};

/**
 * The typedoc plugin.
 *
 * @param {{ converter: { on(event: string, listener: (context: { project: { children?: { name: string }[] } }) => void): void } }} app
 */
export function load({ converter }) {
  converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) {
      const name = Object.entries(NAMES).find(([path]) => path === module.name)?.[1];
      if (!name) throw new Error(`give the entry point ${module.name} a name in docs/typedoc-names.mjs`);
      module.name = name;
    }
  });
}
