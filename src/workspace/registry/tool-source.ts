/** Where a tool comes from. `id` is unique in a window; `label` is what people read in the Tools view. */
export type ToolSource =
  | { readonly kind: 'shipped'; readonly id: string; readonly label: string }
  | { readonly kind: 'extension'; readonly id: string; readonly label: string }
  /** An MCP server that this window is connected to. */
  | { readonly kind: 'server'; readonly id: string; readonly label: string }
  | {
      readonly kind: 'workspace';
      readonly id: string;
      readonly label: string;
      /** Absolute path of the workspace folder. */
      readonly folder: string;
      /** Position among the workspace's folders: the earlier folder wins a clash of names. */
      readonly order: number;
    };

const RANK = { shipped: 0, extension: 1, workspace: 2, server: 3 } as const;

/** Which source wins a clash of names: shipped ones, then extensions as they came, then folders in their order, servers last. */
export function compareSources(a: ToolSource, b: ToolSource): number {
  if (a.kind === 'workspace' && b.kind === 'workspace') return a.order - b.order;
  return RANK[a.kind] - RANK[b.kind];
}
