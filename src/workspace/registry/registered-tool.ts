import { pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { SourceLocation } from './problem.ts';
import type { ToolSource } from './tool-source.ts';

/** What a source offers: a plugin, or a bare tool whose questions get the schema form. */
export interface ToolOffer {
  readonly tool: AnyTool | AnyPlugin;
  readonly place?: SourceLocation;
}

/** A tool that can be called. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
  /** Absent for a bare tool. */
  readonly plugin: AnyPlugin | undefined;
  readonly source: ToolSource;
  readonly place: SourceLocation | undefined;
}

/** An offer with its source. */
export function registeredTool({ tool, place }: ToolOffer, source: ToolSource): RegisteredTool {
  const bare = toolOf(tool);
  return Object.freeze({ name: bare.name, tool: bare, plugin: pluginOf(tool), source, place });
}
