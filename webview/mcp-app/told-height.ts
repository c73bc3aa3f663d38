import type { HostContext } from './bridge.ts';

/** Of the height that a host allows. A conversation shows its end: of a higher page the question would be above the edge. */
const SHARE = 2 / 3;

/** How high the page is to be: what asks scrolls in itself before it is higher than what a person sees of a conversation. */
export function toldHeight(height: number, isAsking: boolean, { containerDimensions }: HostContext): number {
  const most = containerDimensions?.maxHeight ?? Number.POSITIVE_INFINITY;
  return Math.ceil(isAsking ? Math.min(height, most * SHARE) : height);
}
