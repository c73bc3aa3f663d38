import { readFile } from 'node:fs/promises';
import { action, all, ensure, type Operation, resource, spawn, until, withResolvers } from 'effection';
import { addLoad, crowd, type Load } from '../../runtime/data/crowd.ts';
import { CodeThread, wallTimeOf } from './code-thread.ts';
import { type CodeLimits, DEFAULT_CODE_LIMITS, type Input, type SandboxTurn } from './messages.ts';

/** One run of code, turn by turn. */
export interface Sandbox {
  turn(input: Input): Operation<SandboxTurn>;
}

/** Runs code of models. */
export interface CodeEngine {
  readonly limits: CodeLimits;
  /**
   * A sandbox for one run of a principal: it ends with the scope that took it. Where many wait for people, the oldest of the principal with most gives
   * way: its scope fails. @throws when too many run already
   */
  useSandbox(principal?: string): Operation<Sandbox>;
}

/** What an engine is made of. */
export interface CodeEngineOptions {
  /** The module that its threads run: `dist/code-worker.js`. */
  readonly worker: string | URL;
  /** QuickJS as WebAssembly: `dist/quickjs.wasm`. */
  readonly wasm: string;
  readonly limits?: Partial<CodeLimits>;
}

/** Runs that compute at the same time, and those of one principal that compute or wait. */
const MOST_AT_ONCE = 16;
/** Runs in all: each has a thread of its own, for as long as a person thinks about its questions. */
const MOST_RUNS = 32;
const ROOM = { calls: MOST_RUNS, share: MOST_AT_ONCE, bytes: 0, shareBytes: 0 };
const ONE = { calls: 1, bytes: 0 };

const GAVE_WAY =
  'The code was ended while it waited for the user, because too many runs are waiting. Its finished calls are done: continue from there when the user is available.';

interface Run {
  readonly who: string;
  waits: boolean;
  giveWay(): void;
}

/** A thread that nobody used for so long is ended, milliseconds. */
const IDLE = 60_000;

/**
 * The sandboxes of a process. Nothing is loaded before the first is wanted; from then on one thread is kept warm for a minute.
 * Where code runs there is no network, no file, no clock and no object of the host.
 */
export function useCodeEngine({ worker, wasm, limits }: CodeEngineOptions): Operation<CodeEngine> {
  return resource(function* (provide) {
    const allowed = { ...DEFAULT_CODE_LIMITS, ...limits };
    const threads = new Set<CodeThread>();
    let module: Promise<WebAssembly.Module> | undefined;
    let spare: CodeThread | undefined;
    let timer: NodeJS.Timeout | undefined;
    /** Those that began to wait first come first. */
    const runs = new Set<Run>();

    const end = (thread: CodeThread) => {
      threads.delete(thread);
      return thread.terminate();
    };
    yield* ensure(function* () {
      clearTimeout(timer);
      yield* all(Array.from(threads, (thread) => until(end(thread))));
    });

    const admit = (run: Run): void => {
      const all = [...runs];
      const loads = new Map<string, Load>();
      for (const { who } of all) addLoad(loads, who, ONE);
      const full = crowd(loads, run.who, ONE, ROOM);
      const [victim] = (full?.most ?? []).flatMap((who) => all.filter((one) => one.waits && one.who === who));
      if (all.filter(({ waits }) => !waits).length >= MOST_AT_ONCE || (full && !victim))
        throw new Error(`${MOST_AT_ONCE} runs of code are already active: wait until one of them ends.`);
      if (full && victim) {
        runs.delete(victim);
        victim.giveWay();
      }
      runs.add(run);
    };

    function* take(): Operation<CodeThread> {
      const warm = spare;
      spare = undefined;
      clearTimeout(timer);
      if (warm && !warm.ended) return warm;
      module ??= readFile(wasm).then((bytes) => WebAssembly.compile(bytes));
      const thread = new CodeThread(worker, { wasm: yield* until(module), limits: allowed });
      threads.add(thread);
      yield* until(thread.ready());
      return thread;
    }

    /** A thread whose run came to its end is as good as new; one that waits or computes still is not. */
    const giveBack = (thread: CodeThread, over: boolean) => {
      if (!over || thread.ended || spare) return end(thread);
      spare = thread;
      timer = setTimeout(() => {
        spare = undefined;
        void end(thread);
      }, IDLE);
      timer.unref();
      return undefined;
    };

    function* turnOf(thread: CodeThread, input: Input, spent: number): Operation<SandboxTurn> {
      const late: SandboxTurn = {
        state: { kind: 'stopped', why: 'time' },
        requests: [],
        lines: [],
        omitted: 0,
        spent: allowed.time,
      };
      // One wait, and not a race of two: code that calls tools one by one takes a turn for each.
      const turn = yield* action<SandboxTurn | undefined>((resolve, reject) => {
        const watch = setTimeout(() => resolve(undefined), wallTimeOf(allowed, spent));
        thread.turn(input).then(resolve, reject);
        return () => clearTimeout(watch);
      });
      if (turn) return turn;
      yield* until(end(thread));
      return late;
    }

    yield* provide({
      limits: allowed,
      useSandbox: (who = '') =>
        resource(function* (provideSandbox) {
          const { operation, reject } = withResolvers<void>('it gives way');
          const run: Run = { who, waits: false, giveWay: () => reject(new Error(GAVE_WAY)) };
          admit(run);
          yield* spawn(() => operation);
          let over = false;
          let spent = 0;
          let thread: CodeThread | undefined;
          yield* ensure(function* () {
            runs.delete(run);
            const ending = thread && giveBack(thread, over);
            if (ending) yield* until(ending);
          });
          thread = yield* take();
          const mine = thread;
          yield* provideSandbox({
            *turn(input) {
              over = false;
              run.waits = false;
              const turn = yield* turnOf(mine, input, spent);
              spent = turn.spent;
              over = turn.state.kind !== 'waits';
              run.waits = !over;
              if (run.waits && runs.delete(run)) runs.add(run);
              return turn;
            },
          });
        }),
    });
  });
}
