import { createHash } from 'node:crypto';
import { toolOf } from '../../../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../../../core/plugin/plugin.ts';
import type { Registry } from '../../../../core/served/registry.ts';
import type { AnyTool } from '../../../../core/tool/tool.ts';
import type { RegisteredTool } from '../../../../workspace/registry/registered-tool.ts';
import type { ToolRegistry } from '../../../../workspace/registry/registry.ts';
import type { GatewayOffers } from './gateway-offers.ts';

type Served = AnyTool | AnyPlugin;

/**
 * All tools of the window, as a server takes them: with their handlers where they have some. `changed` tells of what else changes
 * what clients see of them.
 */
export function servedTools(
  registry: ToolRegistry,
  changed: (listener: () => void) => () => void = () => () => {},
): Registry<Served> {
  return {
    list: () => registry.list().map(({ tool, plugin }) => plugin ?? tool),
    subscribe(listener) {
      const stops = [
        registry.subscribe(({ tools }) => {
          if (tools) listener();
        }),
        changed(listener),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** What decides which tools clients are offered; read at each call. */
export interface DynamicOffering {
  /** Whether Copilot gets over MCP what the manifest declares, too. */
  readonly shipped: boolean;
  /** Names of connected servers whose tools are offered on. */
  readonly gateway: readonly string[];
}

/** Whether a tool may be offered to any client: those of connected servers only where the person says so. */
export function mayOffer(
  { source }: Pick<RegisteredTool, 'source'>,
  gateway: DynamicOffering['gateway'],
): boolean {
  return source.kind !== 'server' || gateway.includes(source.label);
}

/**
 * Tools that Copilot gets over MCP: those that the manifest does not declare, for it knows the others as language model tools
 * already; all of them when the chat shows their pages, which language model tools have none of (`shipped-over-mcp.ts`).
 */
export function offeredTools(registry: ToolRegistry, offering: DynamicOffering): readonly RegisteredTool[] {
  return registry.list().filter((registered) => isForCopilot(registered, offering));
}

function isForCopilot(registered: RegisteredTool, { shipped, gateway }: DynamicOffering): boolean {
  return (registered.source.kind !== 'shipped' || shipped) && mayOffer(registered, gateway);
}

/** Whether a served tool is one of them. */
export function isOffered(registry: ToolRegistry, served: Served, offering: DynamicOffering): boolean {
  const registered = registry.get(toolOf(served).name);
  return registered !== undefined && isForCopilot(registered, offering);
}

/** Changes when what a client is told of these tools changes, or of what there is beside them. */
export function versionOf(tools: readonly RegisteredTool[], { prompts, resources }: GatewayOffers): string {
  const toldTools = tools.map(({ tool: { name, def } }) => [
    name,
    def.title,
    def.description,
    def.annotations,
    def.parameters.json,
    def.output?.json,
  ]);
  const toldPrompts = prompts
    .list()
    .map(({ name, def }) => [name, def.title, def.description, def.tool.def.parameters.json]);
  const toldResources = resources.list().map(({ def }) => def.info);
  const told = [toldTools, toldPrompts, toldResources];
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 12);
}
