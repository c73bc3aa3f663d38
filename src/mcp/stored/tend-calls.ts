import { action, ensure, type Operation, race, scoped } from 'effection';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { CallStore, Claim, DueCall, StoredCall } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import { HeldCall } from '../../runtime/manager/held-call.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Served } from '../catalog/catalog.ts';
import type { ServerParts } from '../host.ts';
import { isObject } from '../wire/rpc/json-rpc.ts';
import { nextDue } from './next-due.ts';

/** Between two looks for calls that nobody asks for, milliseconds. */
const LOOK = 5_000;
/** And at one of them while a step of it runs. */
const BUSY = 50;

/** What tending needs of its server. */
export type TendingParts = Pick<ServerParts, 'manager' | 'catalog' | 'tasks' | 'report'>;

/**
 * Takes up the calls of a store whose time has come, and those whose server is gone, as far as they go without their client. What
 * comes of it waits for the client's next request.
 */
export function* tendCalls(host: TendingParts, store: CallStore): Operation<never> {
  for (;;) {
    yield* unhurried(LOOK);
    try {
      for (const due of yield* store.due()) yield* tend(host, store, due);
    } catch (error) {
      host.report('calls that are due could not be looked for', error, 'state');
    }
  }
}

function* tend(host: TendingParts, store: CallStore, { name }: DueCall): Operation<void> {
  // Looked at first: what nobody here can go on with is not claimed at each look.
  const seen = yield* store.read(name);
  if (!seen || isNewerJournal(seen.header) || !servedTool(host, seen)) return;
  const outcome = yield* store.claim(name);
  if (outcome.type !== 'claimed') return;
  const { claim } = outcome;
  yield* scoped(function* () {
    let taken = false;
    yield* ensure(function* () {
      if (!taken) yield* new HeldCall(store, claim, 0).release();
    });
    try {
      // A task goes on by itself: it has the claim from there on.
      if (host.tasks) taken = yield* host.tasks.goOn(claim, seen, absent(capabilitiesIn(seen)));
      if (!taken) yield* goOn(host, store, claim);
    } catch (error) {
      host.report(`the call '${name.callId}' could not go on by itself`, error, 'state');
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

function servedTool({ catalog }: TendingParts, { header }: StoredCall) {
  return isObject(header) ? catalog.tools.get(String(header.tool)) : undefined;
}

/** The client that comes later: it is asked nothing now. */
function absent(capabilities: ClientCapabilities): Client {
  return { name: 'nobody', capabilities: () => capabilities, can: (ask) => canAnswer(capabilities, ask) };
}

/** A pause that keeps no process alive. */
function* unhurried(milliseconds: number): Operation<void> {
  yield* action<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  });
}
