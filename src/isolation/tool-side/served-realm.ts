import { createScope, ensure, type Operation, type Scope, scoped, suspend, until, useScope } from 'effection';
import { errorData } from '../../core/errors/data/error-data.ts';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { unlistedTool } from '../../core/tool/tool-facts.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { firstFailure } from '../../runtime/call/thrown.ts';
import type { ToolVersion, Undo } from '../../runtime/call/tool-side.ts';
import { runTool } from '../../runtime/context/run-tool.ts';
import { type ToolDirectory, ToolDirectoryContext } from '../../runtime/context/tool-directory.ts';
import { toJson } from '../../runtime/data/json-data.ts';
import { FaultsContext } from '../../runtime/session/faults.ts';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import { Timers } from '../../runtime/time/timers.ts';
import type { TextLink } from '../transport/link.ts';
import type { Handlers } from '../wire/contract.ts';
import { type RealmMethods, realmMethods } from '../wire/methods/realm-methods.ts';
import { type SessionMethods, sessionMethods } from '../wire/methods/session-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';
import { createRpc } from '../wire/rpc.ts';
import { unseenSchema } from '../wire/unseen-schema.ts';
import { borrowedEditor } from './borrowed-editor.ts';
import { loadTools } from './loaded-tools.ts';
import { ParsedParams } from './parsed-params.ts';
import { ServedCall } from './served-call.ts';

/** The tools that a tool of this realm calls by name: they are where the session is, which finds, checks and runs them. */
function toolsElsewhere(session: SessionPeer): ToolDirectory {
  return (name, given) => given ?? toolElsewhere(name, session);
}

function toolElsewhere(name: string, session: SessionPeer): AnyTool {
  function* execute(given: unknown, ctx: ToolContext): Operation<JsonValue | undefined> {
    const params = toJson(given);
    if (!params.ok)
      throw new ParamsInvalidError({ toolName: name, problem: `it is not JSON: ${params.problem}` });
    return yield* session.call('callTool', { name, depth: ctx.depth, ...defined({ params: params.value }) });
  }
  const parameters = { schema: unseenSchema, json: { type: 'object' } };
  return unlistedTool({ name, description: 'A tool of another realm', parameters }, execute);
}

/** Calls that were let go of and never come back do not stay for ever. */
const CAPACITY = 256;

/** What takes back the steps of calls, which is done when their code has been halted. */
class KeptUndos {
  readonly #calls = new Map<string, Map<string, Undo>>();

  /** Those of one call. */
  of(callId: string): Map<string, Undo> {
    const undos = this.#calls.get(callId) ?? new Map<string, Undo>();
    this.#calls.delete(callId);
    this.#calls.set(callId, undos);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CAPACITY && oldest !== undefined) this.#calls.delete(oldest);
    return undos;
  }

  /** The call has ended. */
  forget(callId: string): void {
    this.#calls.delete(callId);
  }
}

/** Serves the tools of this realm over a line, for as long as the caller lives. */
export function* serveRealm(link: TextLink): Operation<void> {
  // A root scope: a failing call must not take its siblings down.
  const [scope, destroy] = createScope();
  yield* ensure(() => until(destroy()));
  const diagnose = (message: string, cause?: unknown) =>
    rpc.peer.tell('diagnostic', { message, ...(cause === undefined ? {} : { error: errorData(cause) }) });
  const rpc = createRpc({
    mine: realmMethods,
    theirs: sessionMethods,
    numbers: 'even',
    scope,
    handlers: realmHandlers(scope, diagnose),
    send: (text) => link.send(text),
    fault: diagnose,
  });
  link.listen((text) => {
    try {
      rpc.hear(text);
    } catch (error) {
      diagnose('an order was not carried out', error);
    }
  });
  yield* suspend();
}

type Diagnose = (message: string, cause?: unknown) => void;

/** What a realm with tools does. */
function realmHandlers(scope: Scope, diagnose: Diagnose): Handlers<RealmMethods, SessionMethods> {
  const time = new Timers(scope, scope.expect(ClockContext));
  const parsed = new ParsedParams();
  const kept = new KeptUndos();
  let tools: readonly ToolVersion[] = [];
  scope.set(FaultsContext, ({ message, cause }) => diagnose(message, cause));
  return {
    *load(order, session) {
      tools = yield* loadTools(order, session);
    },
    parse: (given) => parsed.parse(given, tools[given.tool]?.tool),
    *run(start, session) {
      const loaded = tools[start.tool];
      if (!loaded) throw new Error(`there is no tool ${start.tool}`);
      const params = yield* parsed.take(start, loaded.tool);
      const undos = kept.of(start.callId);
      const call = new ServedCall({ loaded, start, params, time, session, undos });
      borrowedEditor(session, start.abilities)(yield* useScope());
      yield* ToolDirectoryContext.set(toolsElsewhere(session));
      try {
        // Its cleanup is over before its end is told.
        const result = yield* scoped(() => runCall(call));
        kept.forget(start.callId);
        return result;
      } catch (error) {
        throw firstFailure(call.side, toError(error), diagnose);
      }
    },
    *undo({ callId, id, result, abilities }, session) {
      const undo = kept.of(callId).get(id);
      if (!undo) throw new Error('its worker has ended, and with it the code that undoes the step');
      borrowedEditor(session, abilities)(yield* useScope());
      yield* undo(result);
    },
    // Behind all that it was told before.
    ping: eventLoopTurn,
  };
}

/** Runs a tool's code to its end. */
function* runCall(call: ServedCall): Operation<JsonValue | undefined> {
  try {
    return yield* runTool(call.side);
  } finally {
    call.end();
  }
}
