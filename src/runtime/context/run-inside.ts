import type { Operation } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import { type Offer, pluginOf, toolOf } from '../../core/plugin/offer.ts';
import type { AnyElicitHandler, AnyPlugin, ElicitRequest } from '../../core/plugin/plugin.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import { type BehindContext, behindContext, standBehind } from '../call/behind-context.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { checkedParams, runTool } from './run-tool.ts';

/** A tool that runs as a part of another's call. */
export interface InnerTool {
  readonly offer: Offer;
  /** As they were given. */
  readonly params: unknown;
  /** Stands before the names of its asks: those of the call are one list. */
  readonly prefix: string;
}

/**
 * Runs another tool from inside a call, as the runtime runs any tool: with its parameters, its handlers and its output
 * checked, and its asks, reports and cancellation those of the call.
 *
 * @throws `ParamsInvalidError`, `OutputInvalidError`, and what the tool throws
 */
export function* runInside(ctx: ToolContext, inner: InnerTool): Operation<JsonValue | undefined> {
  const outer = behindContext(ctx);
  if (!outer) throw new Error('only a tool that runs in a call can run another one inside it');
  const params = yield* checkedParams(toolOf(inner.offer), inner.params);
  const prefix = `${outer.prefix}${inner.prefix}`;
  const behind: BehindContext = { ...outer, prefix, params };
  return yield* runTool(innerSide(behind, inner.offer), (own) => standBehind(own, behind));
}

function innerSide({ call, frame, prefix, params }: BehindContext, offer: Offer): ToolSide {
  const tool = toolOf(offer);
  const plugin = pluginOf(offer);
  const named = (key: string | undefined) => (key === undefined ? undefined : `${prefix}${key}`);
  return {
    id: call.id,
    toolName: tool.name,
    tool,
    plugin: plugin && underPrefix(plugin, prefix),
    params,
    handoff: undefined,
    root: frame,
    asks: {
      ask: (draft) => call.asks.ask({ ...draft, key: named(draft.key) }),
      pendingKey: () => call.asks.pendingKey(),
    },
    get over() {
      return call.over;
    },
    time: call.time,
    capabilities: () => call.capabilities(),
    require: (requirements) => call.require(requirements),
    emit: (happening) => call.emit(happening),
    breathe: () => call.breathe(),
  };
}

/** A plugin whose handlers stand under the names that its questions have in the call; each reads its own. */
export function underPrefix(plugin: AnyPlugin, prefix: string): AnyPlugin {
  const { toolName, handlers } = plugin.client;
  const named = Object.entries(handlers).map(([key, handler]): [string, AnyElicitHandler] => [
    `${prefix}${key}`,
    (request, ctx) => {
      const { callId, seq } = request;
      const own: ElicitRequest = { ...request, key, toolName, id: { toolName, key, callId, seq } };
      return handler(own, { ...ctx, elicitRequest: own });
    },
  ]);
  return { ...plugin, client: { ...plugin.client, handlers: Object.fromEntries(named) } };
}
