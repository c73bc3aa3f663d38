import { ToolNotApprovedError } from '../../../core/errors/call-errors.ts';
import { pluginOf, toolOf } from '../../../core/plugin/offer.ts';
import { insideOf } from '../../../runtime/policy/call-policy.ts';
import { gatedTool, whileAsked } from '../../../runtime/policy/gated-tool.ts';
import { onlyReads } from '../../../runtime/policy/only-reads.ts';
import type { Served } from '../catalog.ts';
import type { Approve } from '../surface.ts';

/**
 * A tool that runs only when it is approved. Clients ask their users for a tool by its name: their word for `run_tool` or
 * `run_chain` is none for what runs inside. A tool that only reads is as it was.
 */
export function approvedTool(served: Served, approve: Approve): Served {
  const tool = toolOf(served);
  if (onlyReads(tool)) return served;
  const asking = gatedTool(
    tool,
    function* (behind, ctx, params) {
      const ask = () => approve({ session: behind.call, tool, params });
      if (!(yield* whileAsked(behind, ctx, tool.name, ask)))
        throw new ToolNotApprovedError({ toolName: tool.name });
      return params;
    },
    insideOf,
  );
  const plugin = pluginOf(served);
  if (!plugin) return asking;
  return Object.freeze({ ...plugin, server: { ...plugin.server, tools: [asking] as const }, mcp: asking });
}
