import type { ToolSource } from '../../../workspace/registry/tool-source.ts';

/** Tools of the workspace come before those that others bring; apart from that the order stays. */
export function ownFirst<T extends { readonly source: ToolSource }>(listed: readonly T[]): T[] {
  const rank = ({ source }: T) => (source.kind === 'workspace' ? 0 : 1);
  return [...listed].sort((one, other) => rank(one) - rank(other));
}
