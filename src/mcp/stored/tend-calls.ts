import { action, type Operation, spawn, useScope } from 'effection';
import { CallRefused, type Calls } from '../../calls/port.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName, CallStore, StoredCall } from '../../runtime/journal/call-store.ts';
import { isNewerJournal } from '../../runtime/journal/lines.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Catalog, Served } from '../catalog/catalog.ts';
import type { ServerParts } from '../host.ts';
import { Turns } from './turns.ts';

/** Calls that nobody here can go on with: each is looked at once, and left alone until its tool is served. */
class Lacking {
  /** The tool that a call needs, by call. */
  #tools = new Map<string, string>();

  /** Remembers one: its tool is not served here, or there is none that could be (`''`). */
  add(name: CallName, tool: string): void {
    this.#tools.set(callKey(name), tool);
  }

  /** Those of these that may be gone on with. What is not among these is forgotten. */
  without(names: readonly CallName[], { tools }: Pick<Catalog, 'tools'>): readonly CallName[] {
    const before = this.#tools;
    this.#tools = new Map();
    return names.filter((name) => {
      const tool = before.get(callKey(name));
      if (tool === undefined || tools.get(tool)) return true;
      this.add(name, tool);
      return false;
    });
  }
}

/** Between two looks for calls that nobody asks for, milliseconds. */
const LOOK = 5_000;
/** Most that are looked through: all of a principal, where a store has no other bounds than its own. */
const MOST = 10_000;

/** What tending needs of its server. */
export interface TendingParts extends Pick<ServerParts, 'manager' | 'catalog' | 'report'> {
  readonly calls: Calls;
}

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
  try {
    // Looked at first: what nobody here can go on with is not claimed at each look.
    const seen = yield* store.read(name);
    // Its client may have come meanwhile.
    if (!seen || seen.ended || seen.held) return;
    if (isNewerJournal(seen.header)) return lacking.add(name, '');
    const tool = servedTool(host, seen);
    if (!tool) return lacking.add(name, toolIn(seen));
    const capabilities = capabilitiesIn(seen);
    // Asked nothing now: all of it waits for whoever comes.
    const client: Client = { name: 'no client', capabilities: () => capabilities, can: () => true };
    yield* host.calls.attach(
      name,
      {
        client,
        resume: (options) => host.manager.resume({ ...options, tool, capabilities }),
        // No copy of it stays here, nor is it waited for where somebody has it by now.
        stands: () => false,
        isGone: () => true,
      },
      'blocked',
    );
  } catch (error) {
    if (error instanceof CallRefused) return;
    host.report(`the call '${name.callId}' could not be resumed`, error, 'state');
  }
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

/** A pause that keeps no process alive. */
function* unhurried(milliseconds: number): Operation<void> {
  yield* action<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  });
}
