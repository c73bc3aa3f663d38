import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { AnyTool } from '../tool/tool.ts';
import { isPlugin, isTool } from './guards.ts';
import type { AnyPlugin } from './plugin.ts';

/** What can be registered and run: a bare tool, or a plugin, which is a tool with its handlers. */
export type Offer = AnyTool | AnyPlugin;

/** The tool that is offered. @throws `ToolDefinitionError` for anything else, as for a builder that was not ended */
export function toolOf(offer: Offer): AnyTool {
  if (isPlugin(offer)) return offer.server.tools[0];
  if (isTool(offer)) return offer;
  throw new ToolDefinitionError(
    'this is neither a tool nor a plugin: end createMcpTool(…) with .execute() or .handoff(), and makePlugin(…) with .build()',
  );
}

/** The plugin that is offered, if it is one. */
export function pluginOf(offer: Offer): AnyPlugin | undefined {
  return isPlugin(offer) ? offer : undefined;
}
