import { type Operation, scoped } from 'effection';
import { behindContext } from '../../runtime/call/behind-context.ts';
import { createApprovals } from '../approval/approvals.ts';
import type { CodeContext } from '../approval/questions.ts';
import type { CodeEngine } from '../sandbox/engine.ts';
import type { CodeTools } from './code-tools.ts';
import { useInnerCalls } from './inner-calls.ts';
import { type CodeReport, Trace } from './trace.ts';

/** What running code takes. */
export interface RunParts {
  readonly engine: CodeEngine;
  readonly tools: CodeTools;
  readonly ctx: CodeContext;
}

const NEVER = {
  kind: 'threw',
  message: 'The code waits for a promise that never settles. Only calls of tools can be awaited.',
} as const;

/** Runs code to its end, and the tools that it calls as a part of this call. What it began and did not wait for ends with it. */
export function runCode(code: string, { engine, tools, ctx }: RunParts): Operation<CodeReport> {
  return scoped(function* () {
    const sandbox = yield* engine.useSandbox(behindContext(ctx)?.call.principal);
    const trace = new Trace();
    const approvals = createApprovals(ctx, code);
    const calls = yield* useInnerCalls({ tools, approvals, trace, ctx });
    let turn = yield* sandbox.turn({ kind: 'run', code });
    for (;;) {
      trace.heard(turn);
      for (const request of turn.requests) yield* calls.take(request);
      if (turn.state.kind !== 'waits') return trace.report(turn.state);
      const settled = yield* calls.next();
      if (!settled) return trace.cancelled();
      if (settled.length === 0) return trace.report(NEVER);
      turn = yield* sandbox.turn({ kind: 'settle', settled });
    }
  });
}
