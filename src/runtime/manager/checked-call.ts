import type { Operation } from 'effection';
import { pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { ToolLimits } from '../../core/tool/tool.ts';
import type { CallOptions } from '../call/call-options.ts';
import { requireFor } from '../call/tool-side.ts';
import { checkedParams } from '../context/checked-params.ts';
import { historyMessage } from '../data/json-messages.ts';
import type { CreateSession } from './manager.ts';

/** Checks what `create` was given, before any of the tool's code: capabilities first, then parameters. */
export function* checkedCall(
  options: Pick<CreateSession, 'tool' | 'params' | 'capabilities' | 'limits' | 'parentMessages'>,
  bounds: ToolLimits | undefined,
): Operation<Omit<CallOptions, 'id' | 'key' | 'principal' | 'journal'>> {
  const plugin = pluginOf(options.tool);
  const tool = toolOf(options.tool);
  const { requires, limits } = tool.def;
  requireFor(tool.name, requires, options.capabilities);
  const params = yield* checkedParams(tool, options.params);
  return {
    tool,
    plugin,
    params,
    capabilities: options.capabilities,
    parentMessages: options.parentMessages && Object.freeze(options.parentMessages.map(historyMessage)),
    limits: tightest(limits, options.limits, bounds),
  };
}

/** The tightest of several limits, each by itself. */
function tightest(...all: readonly (ToolLimits | undefined)[]): ToolLimits {
  const least: { -readonly [name in keyof ToolLimits]: ToolLimits[name] } = {};
  for (const limits of all) {
    if (!limits) continue;
    for (const name of NAMES) {
      const limit = limits[name];
      if (limit !== undefined) least[name] = Math.min(limit, least[name] ?? limit);
    }
  }
  return least;
}

const NAMES = ['timeout', 'maxDepth', 'maxTokens'] as const satisfies readonly (keyof ToolLimits)[];
