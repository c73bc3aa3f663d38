import { ensure, type Operation, scoped, until, useScope, withResolvers } from 'effection';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { BehindContext } from '../../runtime/call/behind-context.ts';
import type { MethodParams } from '../wire/contract.ts';
import type { CallStart } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { RealmCall } from '../wire/peers.ts';
import type { Connection } from './connection.ts';
import { lenderHere } from './loans.ts';
import { type RemoteAsker, remoteAsk } from './remote-asks.ts';
import { stepHandlers, takeBackStep } from './remote-steps.ts';

/** One call of a tool that is in another realm. */
export interface RemoteCallOptions extends RemoteAsker {
  readonly connection: Connection;
  /** The number of the tool in its realm. */
  readonly index: number;
  /** Names the parameters as they were parsed there; `params` are those that were given. */
  readonly parse: number;
  readonly params: unknown;
  /** The context here of the tool that runs there. */
  readonly ctx: ToolContext;
}

/**
 * Runs a tool that is in another realm, as a part of the session here. Halting it runs the cleanup there.
 *
 * @throws what the tool throws; `RealmEndedError`
 */
export function* runRemoteCall(options: RemoteCallOptions): Operation<JsonValue | undefined> {
  const { connection, behind } = options;
  const { call } = behind;
  const lender = yield* lenderHere();
  // What is done for its cleanup is done here, too.
  const scope = yield* useScope();
  const outcome = withResolvers<JsonValue | undefined>('result of a remote call');
  const rested = Promise.withResolvers<void>();
  let over = false;
  const running = connection.request(
    'run',
    startOf(options, lender.names),
    (result) => {
      over = true;
      if (result.ok) outcome.resolve(result.value);
      else outcome.reject(result.error);
      rested.resolve();
    },
    {
      scope,
      handlers: {
        ask: (asked, asking) => remoteAsk(options, asked, asking),
        borrow: lender.lend,
        ...stepHandlers(behind, (id, result) => takeBackStep(options, lender, id, result)),
        report(happening) {
          if (!call.over) call.emit(happening);
        },
        callTool: (called) => callTool(options.ctx, called),
        *sync() {},
      },
    },
  );
  const left = call.runsIn({
    turn: (over) => connection.request('ping', undefined, over),
    capable: () => running.tell('capabilities', stateOf(behind)),
  });
  return yield* scoped(function* () {
    yield* ensure(function* () {
      left();
      if (over) return;
      const stopped = stop(connection, running);
      yield* until(rested.promise);
      stopped();
    });
    return yield* outcome.operation;
  });
}

/** Runs a tool that one in another realm calls: what a branch there calls is called in a branch here, which asks nobody. */
function* callTool(
  ctx: ToolContext,
  { name, params, depth }: MethodParams<SessionMethods, 'callTool'>,
): Operation<JsonValue | undefined> {
  const given = (params ?? {}) as JsonObject;
  const result = depth > 0 ? ctx.branch((branch) => branch.call(name, given)) : ctx.call(name, given);
  return (yield* result) as JsonValue | undefined;
}

/** Ends the call there. What runs on without giving others a turn is ended with its realm. */
function stop(connection: Connection, running: RealmCall): () => void {
  running.cancel(true);
  return connection.watch.demand((alive, grace) => {
    // Cleanup that takes its time is the session's to report; one that lets nobody else have a turn is ended.
    if (alive) connection.retire();
    else connection.endStuck(grace);
  });
}

function startOf(
  { behind, tool, index, parse, params }: RemoteCallOptions,
  abilities: readonly string[],
): CallStart {
  const { call, frame, path } = behind;
  const { maxDepth, tokens } = frame;
  // What a tool within a call hands on is its own.
  const kept = path ? {} : defined({ handoff: call.earlierHandoff() });
  return {
    tool: index,
    parse,
    ...defined({ params: params as JsonValue | undefined }),
    callId: call.id,
    toolName: tool.toolName,
    madeBy: call.madeBy,
    ...stateOf(behind),
    ...(Number.isFinite(maxDepth) ? { maxDepth } : {}),
    ...(tokens === undefined ? {} : { maxTokens: Math.max(0, tokens.allowed - tokens.used) }),
    messages: frame.messages,
    parentMessages: frame.parentMessages,
    abilities: [...abilities],
    ...kept,
  };
}

/** What the tool's realm has to know of the session as it stands. */
function stateOf({ call }: BehindContext) {
  return { replays: call.history.replaying, ...defined({ capabilities: call.capabilities() }) };
}
