import type { Operation } from 'effection';
import type { UpTo } from '../call/again/taking-up.ts';
import { standBehind } from '../call/behind-context.ts';
import type { Call } from '../call/call.ts';
import { runTool } from '../context/run-tool.ts';
import { CallPolicyContext } from '../policy/call-policy.ts';
import { type ContextPlace, contextHere, contextsAbove, here, type WaitPlace } from '../taskless/wait.ts';
import { captureContexts } from './captured-contexts.ts';

/**
 * Begins the code of a call, without a task: only what is left at its first effect becomes one. It runs in the contexts of whoever
 * starts it, or in those that `given` puts into its scope.
 */
export function* startCall(
  call: Call,
  up: UpTo | undefined,
  given?: (into: ContextPlace) => void,
): Operation<void> {
  call.policy = yield* contextHere(CallPolicyContext);
  const code = () =>
    runTool(call, (ctx) => standBehind(ctx, { call, frame: call.root, params: call.params }));
  const begun = call.runs.begin(code, up);
  let adopted = false;
  try {
    // A creator that is halted right here leaves its contexts behind, not its call.
    const prepare = begun.done ? () => {} : (given ?? contextsAt(yield* here()));
    adopted = true;
    call.runs.adopt(begun, prepare);
  } finally {
    if (!adopted) call.runs.adopt(begun, () => {});
  }
}

function contextsAt({ scope, contexts }: WaitPlace): (into: ContextPlace) => void {
  const captured = captureContexts(scope);
  return contexts ? contextsAbove(captured, contexts) : captured;
}
