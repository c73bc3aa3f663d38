import { type Operation, useScope } from 'effection';
import * as z from 'zod';
import { createCalls } from '#src/calls/calls.ts';
import type { CallMessage } from '#src/calls/messages.ts';
import { isMovable } from '#src/calls/movable-tool.ts';
import type { CallBeginning, Calls, CallsParts } from '#src/calls/port.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { giveResponse } from '#src/mcp/era-2026/input-requests.ts';
import { digestOf } from '#src/mcp/wire/state/state.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';

const day = z.object({ text: z.string() });

/** Asks, and cannot be taken up elsewhere. */
export const plain = createMcpTool('plain')
  .description('Asks')
  .parameters(z.object({}))
  .elicits({ day })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit.strict('day', { message: 'When?' })).text;
  });

const capabilities = { elicitation: { form: true } } as const;

/** A client that is asked by what its request comes back with. */
export const away: Client = { name: 'away', capabilities: () => capabilities, can: () => true };

/** What a person says in a form, on the wire. */
export const accept = (content: object) => ({ action: 'accept', content });

/** The message of a leg: it opens a round. */
export function leg(id: string, answers: object, bound = 'b'): CallMessage {
  return { id, bound, digest: digestOf(answers), answers: { ...answers } };
}

/** A message of somebody beside. */
export function said(id: string, answers: object, seen?: CallMessage['seen']): CallMessage {
  return { id, digest: digestOf(answers), answers: { ...answers }, ...(seen && { seen }) };
}

/** The calls of one process. */
export interface CallRig {
  readonly calls: Calls;
  readonly manager: SessionManager;
  /** Somebody who begins a call of a tool, or goes on with it. */
  beginning(tool: AnyTool, client?: Client): CallBeginning;
}

/** Makes the calls of a process, with a manager of its own. */
export function* callRig(parts: Partial<CallsParts> = {}): Operation<CallRig> {
  const scope = yield* useScope();
  const manager = yield* createSessionManager();
  let rounds = 0;
  const calls = createCalls({
    ...{ manager, ttl: 3_600_000, give: giveResponse, report() {} },
    newRound: ({ callId }) => `${callId}/${++rounds}/${Math.random()}`,
    run: (op) => scope.run(op),
    ...parts,
  });
  return {
    calls,
    manager,
    beginning: (tool, client = away) => ({
      client,
      movable: isMovable(tool),
      create: (options) => manager.create({ ...options, tool, params: {}, capabilities, principal: 'p' }),
      resume: (options) => manager.resume({ ...options, tool, capabilities }),
    }),
  };
}
