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
 * The typedoc plugin. Constructors of errors are left out: all of them are that of `Error`.
 *
 * @typedef {{ name: string, kindOf(kind: number): boolean, children?: Reflection[] }} Reflection
 * @typedef {{ children?: Reflection[], removeReflection(one: Reflection): void }} Project
 * @typedef {{ contents?: string }} Output
 * @param {{
 *   converter: { on(event: string, listener: (context: { project: Project }) => void): void },
 *   renderer: { markdownHooks?: unknown, on(event: string, listener: (page: Output) => void): void },
 * }} app
 */
export function load({ converter, renderer }) {
  converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) {
      const name = Object.entries(NAMES).find(([path]) => path === module.name)?.[1];
      if (!name)
        throw new Error(`give the entry point ${module.name} a name in build/docs/typedoc-names.mjs`);
      module.name = name;
      for (const { name: type, children } of module.children ?? []) {
        const own = type.endsWith('Error')
          ? children?.find((child) => child.name === 'constructor')
          : undefined;
        if (own) project.removeReflection(own);
      }
    }
  });
  // `Session.status` takes the anchor of the type `SessionStatus` without having a heading of its own.
  renderer.on('endPage', (page) => {
    const slugs = [...(page.contents ?? '').matchAll(/^#+ (.+)$/gm)].map(([, text]) => text?.toLowerCase());
    page.contents = page.contents?.replaceAll(/\(#([a-z]+)-1\)/g, (link, slug) =>
      slugs.filter((one) => one === slug).length === 1 ? `(#${slug})` : link,
    );
  });
}
