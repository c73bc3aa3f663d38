import type { AnyTool } from '../tool/tool.ts';
import { isPlugin } from './guards.ts';
import type { AnyPlugin } from './plugin.ts';

/** What can be registered and run: a bare tool, or a plugin, which is a tool with its handlers. */
export type Offer = AnyTool | AnyPlugin;

/** The tool that is offered. */
export function toolOf(offer: Offer): AnyTool {
  return isPlugin(offer) ? offer.server.tools[0] : offer;
}

/** The plugin that is offered, if it is one. */
export function pluginOf(offer: Offer): AnyPlugin | undefined {
  return isPlugin(offer) ? offer : undefined;
}
