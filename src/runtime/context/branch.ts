import { type Operation, scoped, spawn, withResolvers } from 'effection';
import { BranchDepthError } from '../../core/errors/branch-errors.ts';
import { McpTimeoutError } from '../../core/errors/call-errors.ts';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import type { BranchContext, BranchOptions } from '../../core/tool/context.ts';
import { Frame, type TokenBudget } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { historyMessage } from '../data/json-messages.ts';
import { checkMessages } from '../sampling/index.ts';
import { MachineClock } from '../time/machine-clock.ts';
import { reportNow } from './report.ts';
import { operationOf, Unfinished } from './unfinished.ts';

/** Makes the context of a level: handed in, for a context makes branches and a branch makes a context. */
export type MakeContext = (call: ToolSide, frame: Frame, unfinished: Unfinished) => BranchContext;

/** `ctx.branch` of one level of a call. */
export function createBranch(
  call: ToolSide,
  parent: Frame,
  makeContext: MakeContext,
): BranchContext['branch'] {
  return function* branch<T>(
    fn: (ctx: BranchContext) => Operation<T>,
    options: BranchOptions = {},
  ): Operation<T> {
    checkOptions(call, options);
    const frame = openFrame(parent, options);
    const unfinished = new Unfinished();
    const body = () => {
      const given = typeof fn === 'function' ? fn(makeContext(call, frame, unfinished)) : fn;
      const code = operationOf<T>(given, call.toolName, 'what ctx.branch runs');
      return unfinished.checked(call.toolName, code, (problem) =>
        reportNow(call, call.root, 'warning', problem),
      );
    };
    return yield* runLevel(call, frame, body, options, 'a branch');
  };
}

/** Runs one level of a call to its end, within its limits. `what` names it where its time is over. */
export function* runLevel<T>(
  call: ToolSide,
  frame: Frame,
  body: () => Operation<T>,
  limits: Pick<BranchOptions, 'timeout' | 'maxTokens'>,
  what: string,
): Operation<T> {
  try {
    return yield* limited(limits) ? runLimited(call, frame, body, limits.timeout, what) : scoped(body);
  } finally {
    frame.close();
  }
}

/** @throws `ToolCodeError` for a limit that limits nothing, as what was calculated wrongly may be */
function checkOptions({ toolName }: ToolSide, { timeout, maxTokens, maxDepth }: BranchOptions): void {
  for (const [name, value] of Object.entries({ timeout, maxTokens, maxDepth })) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw new ToolCodeError({
      toolName,
      problem: `ctx.branch was given the ${name} ${String(value)}: it is a number from 0 on`,
    });
  }
}

function openFrame(parent: Frame, options: BranchOptions): Frame {
  const depth = parent.depth + 1;
  if (depth > parent.maxDepth) throw new BranchDepthError({ depth, allowed: parent.maxDepth });
  const { inheritMessages = true, inheritSystemPrompt = true, messages = [], maxDepth, maxTokens } = options;
  const inherited = inheritMessages ? parent.messages : [];
  checkMessages(messages, inherited);
  return new Frame({
    parent,
    // Limits can only tighten: what is left of the parent's is the most there is.
    maxDepth: Math.min(parent.maxDepth, depth + (maxDepth ?? Number.POSITIVE_INFINITY)),
    tokens: budgetWithin(parent, maxTokens),
    messages: messages.length > 0 ? [...inherited, ...messages.map(historyMessage)] : inherited,
    inheritedPrompt: options.systemPrompt ?? (inheritSystemPrompt ? parent.lastPrompt : undefined),
  });
}

/** The tokens that a level may use: no more than is left above it. */
export function budgetWithin(parent: Frame, maxTokens: number | undefined): TokenBudget | undefined {
  return maxTokens === undefined ? undefined : { allowed: Math.min(maxTokens, tokensLeft(parent)), used: 0 };
}

function tokensLeft(frame: Frame): number {
  let left = Number.POSITIVE_INFINITY;
  for (let at: Frame | undefined = frame; at; at = at.parent) {
    if (at.tokens) left = Math.min(left, Math.max(0, at.tokens.allowed - at.tokens.used));
  }
  return left;
}

const limited = ({ timeout, maxTokens }: BranchOptions) => timeout !== undefined || maxTokens !== undefined;

/** Runs a branch that can be ended from outside: its limits are thrown here, where nothing in it can catch them. */
function runLimited<T>(
  call: ToolSide,
  frame: Frame,
  body: () => Operation<T>,
  timeout: number | undefined,
  what: string,
): Operation<T> {
  return scoped(function* () {
    const outcome = withResolvers<T>('branch');
    frame.fail = outcome.reject;
    if (timeout !== undefined) {
      frame.clock = new MachineClock(call.gate.time, timeout, () =>
        outcome.reject(new McpTimeoutError({ what, timeout })),
      );
      call.gate.hold(frame.clock);
    }
    yield* spawn(function* () {
      outcome.resolve(yield* body());
    });
    return yield* outcome.operation;
  });
}
