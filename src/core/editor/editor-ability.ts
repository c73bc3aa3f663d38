import type { Context, Operation } from 'effection';
import { type CapabilityName, McpCapabilityError } from '../errors/call-errors.ts';

/** The ability in force. @throws `McpCapabilityError` where no editor lends it. */
export function* useAbility<A>(context: Context<A>, name: CapabilityName): Operation<A> {
  const ability = yield* context.get();
  if (ability === undefined) throw new McpCapabilityError({ toolName: undefined, capability: name });
  return ability;
}
