import type { Disposable, Event } from 'vscode';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';

/**
 * What other extensions do with Parley. Made with `parley-mcp`, their tools run everywhere that Parley's do: in the
 * palette, in Copilot, in `@parley`, for MCP clients. Their questions get forms; views are for tools of a workspace.
 *
 * @example
 * const extension = vscode.extensions.getExtension<ParleyExports>('parley.parley-mcp');
 * const parley = (await extension?.activate())?.getApi(1);
 * if (parley) context.subscriptions.push(parley.registerTool(myTool));
 */
export interface ParleyApi {
  readonly version: 1;
  /** Registers a tool with the handlers of its questions. @throws `TypeError` for what is no plugin. */
  registerPlugin(plugin: AnyPlugin): Disposable;
  /** Registers a tool whose questions all get the schema form. @throws `TypeError` for what is no tool. */
  registerTool(tool: AnyTool): Disposable;
  /** Names of the tools that can be called, from every source. */
  tools(): readonly string[];
  /** Fires after tools have come, gone or changed, no matter whose they are. */
  readonly onDidChangeTools: Event<void>;
}

/** What `activate` of Parley returns. */
export interface ParleyExports {
  /** @throws `RangeError` for a version that this Parley does not have. */
  getApi(version: 1): ParleyApi;
}
