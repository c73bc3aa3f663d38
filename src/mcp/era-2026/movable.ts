import type { Operation } from 'effection';
import type { CallAside } from '../../runtime/manager/manager.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { OpenCall } from '../request/open-call.ts';
import { isMovable } from '../stored/movable-tool.ts';
import { isFollowed } from '../trace/call-trace.ts';
import { invalidParams, RpcError } from '../wire/rpc/rpc-error.ts';
import { invalidState, type StateBinding } from '../wire/state/state.ts';
import type { Brought, CallHome, Leg } from './call-home.ts';

/**
 * A call that stays in this process, where others move.
 *
 * @throws `-32602` for a state of another process, naming what would make the call move
 */
export function* stay(
  parked: CallHome<Leg>,
  call: OpenCall,
  brought: Brought,
  binding: StateBinding,
): Operation<Leg> {
  try {
    return yield* parked.open(call, brought, binding);
  } catch (error) {
    const { tool } = call.callable;
    if (brought.state === undefined || !(error instanceof RpcError)) throw error;
    const only = `A call of '${tool.name}' can continue only in the process where it started`;
    const { message, data } = invalidState();
    if (call.stays) throw invalidParams(`${message}. ${only}, which asks on a page of its own`, data);
    if (isMovable(tool)) throw error;
    throw invalidParams(`${message}. ${only}: with .durable(), its author can change that`, data);
  }
}

/** Where a leg begins whose call was just taken up: behind the questions that its client knows. */
export function behindQuestions(session: Session): number {
  return session.events().findLast((event) => 'ask' in event)?.at ?? 0;
}

/**
 * Lets a call stand still here while it may go on elsewhere. Nothing for one that cannot, and where somebody follows it, who is told
 * that it is not here any more: that one is to be put away.
 */
export function letStand(
  { manager }: ServerParts,
  session: Session,
  gone: () => void,
): CallAside | undefined {
  if (isFollowed(session)) return undefined;
  return manager.setAside({ principal: session.principal, callId: session.id }, gone);
}
