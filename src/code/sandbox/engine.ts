import { readFile } from 'node:fs/promises';
import { action, all, ensure, type Operation, resource, until } from 'effection';
import { CodeThread, wallTimeOf } from './code-thread.ts';
import { type CodeLimits, DEFAULT_CODE_LIMITS, type Input, type SandboxTurn } from './messages.ts';

/** One run of code, turn by turn. */
export interface Sandbox {
  turn(input: Input): Operation<SandboxTurn>;
}

/** Runs code of models. */
export interface CodeEngine {
  readonly limits: CodeLimits;
  /** A sandbox for one run: it ends with the scope that took it. @throws when too many run already */
  useSandbox(): Operation<Sandbox>;
}

/** What an engine is made of. */
export interface CodeEngineOptions {
  /** The module that its threads run: `dist/code-worker.js`. */
  readonly worker: string | URL;
  /** QuickJS as WebAssembly: `dist/quickjs.wasm`. */
  readonly wasm: string;
  readonly limits?: Partial<CodeLimits>;
}

/** Runs at the same time: each has a thread of its own, for as long as a person thinks about its questions. */
const MOST_AT_ONCE = 16;

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
    let running = 0;

    const end = (thread: CodeThread) => {
      threads.delete(thread);
      return thread.terminate();
    };
    yield* ensure(function* () {
      clearTimeout(timer);
      yield* all(Array.from(threads, (thread) => until(end(thread))));
    });

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
      useSandbox: () =>
        resource(function* (provideSandbox) {
          if (running >= MOST_AT_ONCE) {
            throw new Error(`${MOST_AT_ONCE} pieces of code run already: wait until one of them is done.`);
          }
          running += 1;
          let over = false;
          let spent = 0;
          let thread: CodeThread | undefined;
          yield* ensure(function* () {
            running -= 1;
            const ending = thread && giveBack(thread, over);
            if (ending) yield* until(ending);
          });
          thread = yield* take();
          const mine = thread;
          yield* provideSandbox({
            *turn(input) {
              over = false;
              const turn = yield* turnOf(mine, input, spent);
              spent = turn.spent;
              over = turn.state.kind !== 'waits';
              return turn;
            },
          });
        }),
    });
  });
}
