import { createCalls } from '../calls/calls.ts';
import type { Calls, CallsParts } from '../calls/port.ts';
import { giveResponse } from './era-2026/input-requests.ts';
import { newRound } from './wire/state/state.ts';

/** Makes calls that clients of MCP attach to: answers are in its form, and a round is named by a `requestState`. */
export function servedCalls(parts: Omit<CallsParts, 'newRound' | 'give'>): Calls {
  return createCalls({ ...parts, newRound: ({ callId }) => newRound(callId), give: giveResponse });
}
