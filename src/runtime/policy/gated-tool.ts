import { ensure, type Operation, scoped, spawn } from 'effection';
import { ToolNotApprovedError } from '../../core/errors/call-errors.ts';
import type { ReportContext } from '../../core/tool/context.ts';
import type { AnyTool, ToolDefinition } from '../../core/tool/tool.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { type BehindContext, behindContext } from '../call/behind-context.ts';

/** Lets a tool begin, with the parameters that come back. Throws where it may not. */
export type PolicyGate = (behind: BehindContext, ctx: ReportContext, params: unknown) => Operation<unknown>;

/** Wraps what runs once the gate is open, for what holds within it alone. */
export type Around = (run: () => Operation<unknown>) => Operation<unknown>;

/** A tool whose code begins when its gate lets it. */
export function gatedTool(tool: AnyTool, gate: PolicyGate, around: Around = (run) => run()): AnyTool {
  const def: ToolDefinition = { ...tool.def, body: gatedBody(tool, gate, around) };
  return Object.freeze({ ...tool, def: Object.freeze(def) });
}

function gatedBody(tool: AnyTool, gate: PolicyGate, around: Around): ToolDefinition['body'] {
  const { body } = tool.def;
  function* pass(ctx: ReportContext, params: unknown): Operation<unknown> {
    const behind = behindContext(ctx);
    if (!behind) throw new ToolNotApprovedError({ toolName: tool.name });
    return yield* gate(behind, ctx, params);
  }
  if (body.kind === 'execute') {
    return {
      ...body,
      *execute(params, ctx) {
        const given = yield* pass(ctx, params);
        return yield* around(() => body.execute(given, ctx));
      },
    };
  }
  const { phases } = body;
  return {
    ...body,
    phases: {
      ...phases,
      *before(params, ctx) {
        const given = yield* pass(ctx, params);
        return yield* around(() => phases.before(given, ctx));
      },
    },
  };
}

/** Between two signs of life while a person thinks, milliseconds: clients give up on calls that are silent for long. */
const HEARTBEAT = 15_000;

/** Waits for a person's word on a tool: the clock of the call stands still, and whoever called hears that it lives. */
export function whileAsked<T>(
  { frame }: BehindContext,
  ctx: ReportContext,
  toolName: string,
  ask: () => Operation<T>,
): Operation<T> {
  const resume = frame.pause();
  return scoped(function* () {
    yield* ensure(resume);
    const clock = yield* ClockContext.expect();
    yield* spawn(function* () {
      for (;;) {
        yield* ctx.notify(`waiting for the user to allow '${toolName}'`);
        yield* clock.sleep(HEARTBEAT);
      }
    });
    return yield* ask();
  });
}
