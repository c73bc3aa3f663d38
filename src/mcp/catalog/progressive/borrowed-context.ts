import type { ToolContext } from '../../../core/tool/context.ts';
import type { Elicit } from '../../../core/tool/elicit.ts';
import { lendBehind } from '../../../runtime/call/behind-context.ts';

/**
 * The context of a call for a tool that runs inside it: everything passes through, and the tool's own elicitation keys
 * are found under a prefix.
 */
export function borrowContext(ctx: ToolContext, toolName: string, prefix: string): ToolContext {
  const borrowed: ToolContext = {
    get callId() {
      return ctx.callId;
    },
    toolName,
    get depth() {
      return ctx.depth;
    },
    get messages() {
      return ctx.messages;
    },
    get parentMessages() {
      return ctx.parentMessages;
    },
    get capabilities() {
      return ctx.capabilities;
    },
    get signal() {
      return ctx.signal;
    },
    log: (level, message, data) => ctx.log(level, message, data),
    notify: (message, progress) => ctx.notify(message, progress),
    roots: (options) => ctx.roots(options),
    sample: ctx.sample,
    sampleSchema: ctx.sampleSchema,
    sampleTools: ctx.sampleTools,
    branch: (fn, options) => ctx.branch(fn, options),
    elicit: prefixed(ctx.elicit, prefix),
  };
  lendBehind(borrowed, ctx, prefix);
  return borrowed;
}

type Ask = (keyOrQuestion: unknown, options?: unknown) => never;

function prefixed(elicit: ToolContext['elicit'], prefix: string): ToolContext['elicit'] {
  const wrap = (ask: unknown): Ask => {
    return (key, options) =>
      typeof key === 'string' ? (ask as Ask)(`${prefix}${key}`, options) : (ask as Ask)(key);
  };
  return Object.assign(wrap(elicit), {
    strict: wrap(elicit.strict),
    withRetry: wrap(elicit.withRetry),
  }) as Elicit<Record<never, never>> as ToolContext['elicit'];
}
