import { type Operation, type Scope, until, useScope } from 'effection';
import { captureContexts } from '../../core/world/call-context.ts';
import type { UpTo } from '../call/again/taking-up.ts';
import { standBehind } from '../call/behind-context.ts';
import type { Call } from '../call/call.ts';
import { runTool } from '../context/run-tool.ts';
import { CallPolicyContext } from '../policy/call-policy.ts';

/**
 * Begins the code of a call, and waits until it has gone as far as it goes at once. It runs in the contexts of whoever starts it, or in
 * those that `given` puts into its scope.
 */
export function* startCall(call: Call, up: UpTo | undefined, given?: (into: Scope) => void): Operation<void> {
  const scope = yield* useScope();
  call.policy = scope.get(CallPolicyContext);
  const code = () =>
    runTool(call.side, (ctx) => standBehind(ctx, { call, frame: call.side.root, params: call.params }));
  call.runs.begin(code, given ?? captureContexts(scope), up);
  yield* until(Promise.resolve());
}
