import type { Operation } from 'effection';
import { CallInterruptedError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { digest } from '../../core/world/digest.ts';
import { behindContext } from '../call/behind-context.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { DONE } from '../journal/recorder.ts';
import { outcomeValue, type StepOutcome } from '../journal/step-gate.ts';
import { CallPolicyContext } from '../policy/call-policy.ts';
import type { Session } from '../session/session.ts';
import { isWithinStep } from './step.ts';

/** A call of another server's tool that a call makes. */
interface Made {
  /** As the tool's code names it. */
  readonly name: string;
  /** Absent where its server is not connected. */
  readonly tool?: AnyTool;
  /** As they were given. */
  readonly params: unknown;
  /** The level that is this call. */
  readonly root: Frame;
  readonly session?: Session | undefined;
}

/**
 * Makes a call of another server's tool once in the life of the call that makes it, as a step is run: what came of it is written down,
 * and a replay gives that, with everything it asked meanwhile left out. It is made again only when it had not gone out yet, or where
 * the person believes the server that this does no harm.
 *
 * @throws `CallInterruptedError` for one that was on its way when its process ended
 */
export function* madeOnce(
  call: ToolSide,
  made: Made,
  make: () => Operation<JsonValue | undefined>,
): Operation<JsonValue | undefined> {
  const { name, params, root } = made;
  // Within a step it is a part of that, and its outcome is the step's.
  if (yield* isWithinStep(call)) return yield* make();
  const hints = yield* believed(made);
  const outcome = yield* call.gate.steps.run(
    {
      ...{ name, depth: root.depth, reads: hints.reads, undo: false, call: printOf(params) },
      *code({ id, sent }) {
        root.step = id;
        if (!sent || hints.reads || hints.again) return yield* outcomeOf(make);
        return { ok: false, error: errorData(new CallInterruptedError({ toolName: name })) };
      },
    },
    root,
  );
  return outcomeValue(outcome);
}

/** Says that the call which a context belongs to goes out now, where it is made once: who takes it up does not make it again. */
export function saySent(ctx: object): Operation<void> {
  const behind = behindContext(ctx);
  const id = behind?.frame.within;
  return behind && id !== undefined ? behind.call.steps.sent(id) : DONE;
}

function* outcomeOf(make: () => Operation<JsonValue | undefined>): Operation<StepOutcome> {
  try {
    return { ok: true, result: yield* make() };
  } catch (error) {
    return { ok: false, error: errorData(error) };
  }
}

/** What a server says of its tool is a claim; a tool has the hints that whoever connected it takes for true. */
function* believed({
  tool,
  params,
  session,
}: Made): Operation<{ readonly reads: boolean; readonly again: boolean }> {
  if (!tool) return { reads: false, again: false };
  const { readOnlyHint, idempotentHint } = tool.def.annotations;
  const policy = yield* CallPolicyContext.get();
  const decision =
    policy && session
      ? yield* policy.decide({ session, tool, params: params as JsonObject, from: 'inside' })
      : undefined;
  const hint = decision?.believed;
  return {
    reads: readOnlyHint === true || hint === 'readOnlyHint',
    again: idempotentHint === true || hint === 'idempotentHint',
  };
}

function printOf(params: unknown): string {
  return digest(JSON.stringify(params) ?? '').slice(0, 16);
}
