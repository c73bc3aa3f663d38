import { ensure, type Operation, scoped, spawn } from 'effection';
import { ToolNotApprovedError } from '../../../core/errors/call-errors.ts';
import { pluginOf, toolOf } from '../../../core/plugin/offer.ts';
import type { ReportContext } from '../../../core/tool/context.ts';
import type { AnyTool, ToolDefinition } from '../../../core/tool/tool.ts';
import { ClockContext } from '../../../core/world/clock.ts';
import { behindContext } from '../../../runtime/call/behind-context.ts';
import type { Served } from '../catalog.ts';
import type { Approve } from '../surface.ts';

/**
 * A tool that runs only when it is approved. Clients ask their users for a tool by its name: their word for `run_tool` or
 * `run_chain` is none for what runs inside. A tool that only reads is as it was.
 */
export function approvedTool(served: Served, approve: Approve): Served {
  const tool = toolOf(served);
  if (tool.def.annotations.readOnlyHint === true) return served;
  const def = { ...tool.def, body: approvedBody(tool, approve) };
  const asking: AnyTool = Object.freeze({ ...tool, def: Object.freeze(def) });
  const plugin = pluginOf(served);
  if (!plugin) return asking;
  return Object.freeze({ ...plugin, server: { ...plugin.server, tools: [asking] as const }, mcp: asking });
}

function approvedBody(tool: AnyTool, approve: Approve): ToolDefinition['body'] {
  const { body } = tool.def;
  if (body.kind === 'execute') {
    return {
      ...body,
      *execute(params, ctx) {
        yield* requireApproval(tool, approve, params, ctx);
        return yield* body.execute(params, ctx);
      },
    };
  }
  const { phases } = body;
  return {
    ...body,
    phases: {
      ...phases,
      *before(params, ctx) {
        yield* requireApproval(tool, approve, params, ctx);
        return yield* phases.before(params, ctx);
      },
    },
  };
}

/** Between two signs of life while a person thinks, milliseconds: clients give up on calls that are silent for long. */
const HEARTBEAT = 15_000;

function* requireApproval(
  tool: AnyTool,
  approve: Approve,
  params: unknown,
  ctx: ReportContext,
): Operation<void> {
  const behind = behindContext(ctx);
  if (!behind) throw new ToolNotApprovedError(tool.name);
  const { call: session, frame } = behind;
  // The clock of a call stands still while a person thinks.
  const resume = frame.pause();
  const approved = yield* scoped(function* () {
    yield* ensure(resume);
    const clock = yield* ClockContext.expect();
    yield* spawn(function* () {
      for (;;) {
        yield* ctx.notify(`waiting for the user to allow '${tool.name}'`);
        yield* clock.sleep(HEARTBEAT);
      }
    });
    return yield* approve({ session, tool, params });
  });
  if (!approved) throw new ToolNotApprovedError(tool.name);
}
