/** A tool that the request refers to. */
export interface ToolReference {
  readonly name: string;
  /** Where the person named it in the prompt. Those without a place are all that the agent may use. */
  readonly range?: readonly [start: number, end: number] | undefined;
}

/** Tools of the editor in one request: more of them, and models choose badly. */
const MOST = 40;

/** Tools of the window's own MCP server: here they run without it. */
const ours = /^mcp_parley\d*_/;

/** The tools that the person named with `#`, by the names that `find` gives them; what a turn does not have is left out. */
export function namedTools(
  references: readonly ToolReference[],
  find: (name: string) => string | undefined,
): readonly string[] {
  return references
    .filter(({ range }) => range)
    .map(({ name }) => find(name) ?? find(name.replace(ours, '')))
    .filter((name) => name !== undefined);
}

/**
 * The tools that others serve to the editor and that a turn offers: first those that the person named with `#`, then those of
 * MCP servers, as far as they are enabled. `isOwn` knows the tools that the turn has anyway.
 */
export function chooseEditorTools<T extends { readonly name: string }>(
  tools: readonly T[],
  references: readonly ToolReference[],
  isOwn: (name: string) => boolean,
): readonly T[] {
  const named = new Set(references.filter(({ range }) => range).map(({ name }) => name));
  const listed = new Set(references.filter(({ range }) => !range).map(({ name }) => name));
  const isEnabled = (name: string) => listed.size === 0 || listed.has(name);
  const others = tools.filter(({ name }) => !ours.test(name) && !isOwn(name));
  const chosen = [
    ...others.filter(({ name }) => named.has(name)),
    ...others.filter(({ name }) => !named.has(name) && name.startsWith('mcp_') && isEnabled(name)),
  ];
  return chosen.slice(0, MOST);
}
