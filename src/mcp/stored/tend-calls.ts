import { action, ensure, type Operation, race, scoped, spawn, useScope } from 'effection';
import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { CallName, CallStore, Claim, StoredCall } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import { HeldCall } from '../../runtime/manager/held-call.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Served } from '../catalog/catalog.ts';
import type { ServerParts } from '../host.ts';
import { Lacking } from './lacking.ts';
import { nextDue } from './next-due.ts';
import { Turns } from './turns.ts';

/** Between two looks for calls that nobody asks for, milliseconds. */
const LOOK = 5_000;
/** Most that are looked through: all of a principal, where a store has no other bounds than its own. */
const MOST = 10_000;
/** Between two looks at one of them while a step of it runs. */
const BUSY = 50;

/** What tending needs of its server. */
export type TendingParts = Pick<ServerParts, 'manager' | 'catalog' | 'tasks' | 'report'>;

/**
 * Takes up the calls of a store whose time has come, and those whose server is gone, as far as they go without their client. What
 * comes of it waits for the client's next request.
 */
export function* tendCalls(host: TendingParts, store: CallStore): Operation<never> {
  const scope = yield* useScope();
  const turns = new Turns();
  const lacking = new Lacking();
  const begin = (): void => {
    for (let turn = turns.next(); turn; turn = turns.next()) {
      const { name, takesLong, over } = turn;
      scope.run(function* () {
        yield* spawn(function* () {
          yield* unhurried(LOOK);
          takesLong();
          begin();
        });
        yield* tend(host, store, name, lacking);
        over();
        begin();
      });
    }
  };
  for (let pause = LOOK; ; ) {
    yield* unhurried(pause);
    const since = performance.now();
    try {
      const due = (yield* store.due(MOST)).map(({ name }) => name);
      turns.offer(lacking.without(due, host.catalog));
      begin();
    } catch (error) {
      host.report('calls that are due could not be looked for', error, 'state');
    }
    // Where there is much to look through, that is not all that this process does.
    pause = Math.max(LOOK, 9 * (performance.now() - since));
  }
}

function* tend(host: TendingParts, store: CallStore, name: CallName, lacking: Lacking): Operation<void> {
  yield* scoped(function* () {
    let held: Claim | undefined;
    yield* ensure(function* () {
      if (held) yield* new HeldCall(store, held, 0).release();
    });
    try {
      // Looked at first: what nobody here can go on with is not claimed at each look.
      const seen = yield* store.read(name);
      // Its client may have come meanwhile.
      if (!seen || seen.ended || seen.held) return;
      if (isNewerJournal(seen.header)) return lacking.add(name, '');
      if (!servedTool(host, seen)) return lacking.add(name, toolIn(seen));
      const outcome = yield* store.claim(name);
      if (outcome.type !== 'claimed') return;
      held = outcome.claim;
      // A task goes on by itself: it has the claim from there on.
      const task = host.tasks && (yield* host.tasks.goOn(held, seen, absent(capabilitiesIn(seen))));
      if (!task) return yield* goOn(host, store, held);
      held = undefined;
      yield* task.done;
    } catch (error) {
      host.report(`the call '${name.callId}' could not be resumed`, error, 'state');
    }
  });
}

function* goOn(host: TendingParts, store: CallStore, claim: Claim): Operation<void> {
  const { name } = claim;
  const kept = yield* store.read(name);
  const served = kept && servedTool(host, kept);
  if (!kept || !served) return;
  const held = new HeldCall(store, claim, kept.lineCount);
  // Whatever comes of it, no copy of it stays here when the claim is given back.
  yield* ensure(() => host.manager.unload(name));
  // Who loses the claim has lost the call.
  yield* race([held.renewing(host), runOn(host, served, held, kept)]);
}

function* runOn(host: TendingParts, tool: Served, held: HeldCall, kept: StoredCall): Operation<void> {
  const { header, lines, name } = kept;
  const capabilities = capabilitiesIn(kept);
  const journal = { header, lines };
  const session = yield* host.manager.resume({ tool, journal, capabilities, sink: held.sink });
  for (;;) {
    const reached = yield* drive(session, absent(capabilities), 'blocked');
    if (reached.type !== 'parked') yield* held.ended();
    else if (session.isAtWork(Date.now())) yield* unhurried(BUSY);
    else break;
    if (session.ended()) break;
  }
  yield* host.manager.unload(name);
  yield* held.append({ due: nextDue(session.journal()) });
}

function capabilitiesIn({ header }: StoredCall): ClientCapabilities {
  return ((isObject(header) && header.capabilities) || {}) as ClientCapabilities;
}

function servedTool({ catalog }: TendingParts, call: StoredCall): Served | undefined {
  return catalog.tools.get(toolIn(call));
}

function toolIn({ header }: StoredCall): string {
  return isObject(header) ? String(header.tool) : '';
}

/** The client that comes later: it is asked nothing now. */
function absent(capabilities: ClientCapabilities): Client {
  return { name: 'no client', capabilities: () => capabilities, can: (ask) => canAnswer(capabilities, ask) };
}

/** A pause that keeps no process alive. */
function* unhurried(milliseconds: number): Operation<void> {
  yield* action<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  });
}
