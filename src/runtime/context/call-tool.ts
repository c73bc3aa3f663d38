import type { Operation } from 'effection';
import { CallDepthError, CallEndedError, ToolNotFoundError } from '../../core/errors/call-errors.ts';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { nearest } from '../../core/messages/nearest.ts';
import { isPlugin, isTool } from '../../core/plugin/guards.ts';
import { type Offer, pluginOf, toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { ToolLimits } from '../../core/tool/tool.ts';
import { behindContext, standBehind } from '../call/behind-context.ts';
import { Frame } from '../call/frame.ts';
import { requireFor, ToolSide } from '../call/tool-side.ts';
import { budgetWithin, runLevel } from './branch.ts';
import { checkedParams } from './checked-params.ts';
import { madeOnce } from './made-once.ts';
import { type ToolDirectory, ToolDirectoryContext } from './tool-directory.ts';

/** Runs the code of a tool: handed in, for what runs a tool makes contexts, and a context calls tools. */
export type RunInner = (
  call: ToolSide,
  made?: (ctx: ToolContext) => void,
) => Operation<JsonValue | undefined>;

/** Tools that call each other more deeply than this do it by mistake. */
const MAX_PATH = 16;

/** `ctx.call` of one level of a call. `ctx` is the context that it belongs to. */
export function createCallTool(call: ToolSide, frame: Frame, ctx: object, run: RunInner) {
  // The tools of a call stay the same: to look for them is a step of the event loop's each time.
  let directory: { readonly of: ToolDirectory | undefined } | undefined;
  return function* callTool(target: unknown, params: unknown): Operation<JsonValue | undefined> {
    if (call.over || frame.closed) throw new CallEndedError({ verb: 'call' });
    if (typeof target !== 'string' && !isTool(target) && !isPlugin(target)) {
      throw new ToolCodeError({
        toolName: call.toolName,
        problem:
          'ctx.call was given what is no tool, no plugin and no name: end a tool with .execute() or .handoff(), a plugin with .build()',
      });
    }
    directory ??= { of: yield* ToolDirectoryContext.get() };
    const given = params ?? {};
    const principal = behindContext(ctx)?.call.principal ?? '';
    const offer = found(target, directory.of, principal);
    if (!offer) {
      const names = () => directory?.of?.names?.(principal) ?? [];
      return yield* recalled(call, frame, { name: String(target), params: given, names });
    }
    const tool = toolOf(offer);
    const path = [...(call.path ?? []), tool.name];
    if (path.length > MAX_PATH) throw new CallDepthError({ path });
    requireFor(tool.name, tool.def.requires, call.gate.capabilities());
    const parsed = yield* checkedParams(tool, given);
    const { limits } = tool.def;
    const version = { tool, plugin: pluginOf(offer) };
    const inner = new ToolSide(call.gate, version, parsed, openFrame(frame, limits), { side: call, path });
    const lend = (made: ToolContext) => {
      const behind = behindContext(ctx);
      if (behind) standBehind(made, { ...behind, frame: inner.root, params: inner.params, path });
    };
    function* make(): Operation<JsonValue | undefined> {
      try {
        return yield* runLevel(call, inner.root, () => run(inner, lend), limits, `'${tool.name}'`);
      } finally {
        call.done.push(...inner.done);
      }
    }
    if (!tool.def.foreign) return yield* make();
    const name = typeof target === 'string' ? target : tool.name;
    const made = { name, tool, params: given, root: inner.root, session: behindContext(ctx)?.call };
    const result = yield* madeOnce(call, made, make);
    if (!tool.def.annotations.readOnlyHint) call.done.push({ name });
    return result;
  };
}

/** Level 0 of a tool that is called at a level. */
function openFrame(parent: Frame, { maxDepth = Number.POSITIVE_INFINITY, maxTokens }: ToolLimits): Frame {
  return new Frame({
    parent,
    sameDepth: true,
    maxDepth: Math.min(parent.maxDepth, parent.depth + maxDepth),
    tokens: budgetWithin(parent, maxTokens),
  });
}

function found(target: unknown, directory: ToolDirectory | undefined, principal: string): Offer | undefined {
  if (typeof target !== 'string') {
    const given = target as Offer;
    return directory?.(toolOf(given).name, given, principal) ?? given;
  }
  return directory?.(target, undefined, principal);
}

/** What is known of a call of a tool that is not here (any more): a server may not be connected yet when a call is taken up. */
function* recalled(
  call: ToolSide,
  frame: Frame,
  { name, params, names }: { readonly name: string; readonly params: unknown; names(): readonly string[] },
): Operation<JsonValue | undefined> {
  if (!call.gate.steps.recalls(name))
    throw new ToolNotFoundError({ name, ...defined({ near: nearest(name, names()) }) });
  const root = new Frame({ parent: frame, sameDepth: true, maxDepth: frame.maxDepth });
  try {
    return yield* madeOnce(call, { name, params, root }, function* () {
      throw new ToolNotFoundError({ name });
    });
  } finally {
    root.close();
  }
}
