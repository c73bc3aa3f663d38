import { createScope, type Operation, suspend } from 'effection';
import { createCalls } from '../calls/calls.ts';
import type { Calls } from '../calls/port.ts';
import { ClockContext, machineClock } from '../core/world/clock.ts';
import { giveResponse } from '../mcp/era-2026/input-requests.ts';
import type { CarriedCodec } from '../mcp/wire/state/carried-state.ts';
import type { CallStore } from '../runtime/journal/call-store.ts';
import type { SessionManager } from '../runtime/manager/manager.ts';
import { createSessionManager } from '../runtime/manager/session-manager.ts';
import { nextRound } from './rounds.ts';

/** What calls of handlers run with. */
export interface EngineParts {
  readonly manager: SessionManager;
  readonly calls: Calls;
  /** Seals calls into their clients' hands; none where they wait in a book. */
  readonly codec: CarriedCodec | undefined;
  /** Calls wait in this process, whatever their tools promise. */
  readonly stays: boolean;
  readonly ttl: number;
}

interface EngineOptions extends Pick<EngineParts, 'codec' | 'ttl'> {
  readonly book: CallStore | 'memory' | undefined;
  report(message: string, cause: unknown): void;
}

/** The runtime of Parley, in a scope of its own: it begins with the first call, and is there as long as its process. */
export interface Engine {
  run<T>(op: (parts: EngineParts) => Operation<T>): Promise<T>;
}

export function createEngine({ book, ttl, codec, report }: EngineOptions): Engine {
  const [scope] = createScope();
  // What waits keeps no process: the server whose handlers these are says how long that is there.
  scope.set(ClockContext, machineClock({ keepsProcess: false }));
  const store = typeof book === 'object' ? book : undefined;
  const start = () =>
    new Promise<EngineParts>((resolve, reject) => {
      const running = scope.run(function* () {
        const manager = yield* createSessionManager({ limits: { waitingTtl: ttl } });
        const calls = createCalls({
          ...{ manager, store, ttl, newRound: nextRound, give: giveResponse, report },
          run: (op) => scope.run(op),
        });
        resolve({ manager, calls, codec, ttl, stays: book === 'memory' });
        yield* suspend();
      });
      running.catch(reject);
    });
  let started: Promise<EngineParts> | undefined;
  return {
    async run(op) {
      started ??= start();
      const parts = await started;
      return await scope.run(() => op(parts));
    },
  };
}
