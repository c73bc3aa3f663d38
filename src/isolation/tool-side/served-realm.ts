import { createScope, ensure, type Operation, type Scope, scoped, suspend, until, useScope } from 'effection';
import { errorData } from '../../core/errors/data/error-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { firstFailure } from '../../runtime/call/thrown.ts';
import type { ToolVersion } from '../../runtime/call/tool-side.ts';
import { runTool } from '../../runtime/context/run-tool.ts';
import { ToolDirectoryContext } from '../../runtime/context/tool-directory.ts';
import { FaultsContext } from '../../runtime/session/faults.ts';
import { eventLoopTurn } from '../../runtime/time/event-loop.ts';
import { Timers } from '../../runtime/time/timers.ts';
import type { TextLink } from '../transport/link.ts';
import type { Handlers } from '../wire/contract.ts';
import { type RealmMethods, realmMethods } from '../wire/methods/realm-methods.ts';
import { type SessionMethods, sessionMethods } from '../wire/methods/session-methods.ts';
import { createRpc } from '../wire/rpc.ts';
import { borrowedEditor } from './borrowed-editor.ts';
import { KeptUndos } from './kept-undos.ts';
import { loadTools } from './loaded-tools.ts';
import { ParsedParams } from './parsed-params.ts';
import { ServedCall } from './served-call.ts';
import { toolsElsewhere } from './tools-elsewhere.ts';

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
