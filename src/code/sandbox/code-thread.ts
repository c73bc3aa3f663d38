import { Worker } from 'node:worker_threads';
import type { CodeLimits, CodeWorkerData, Input, SandboxTurn } from './messages.ts';

/** The heap of the thread itself, beside the memory of the code: what the bridge and the reader of TypeScript need. */
const HEAP_MB = 128;

/** Native stack: what QuickJS takes of it before it looks at its own. */
const STACK_MB = 8;

/** What a thread that ended in the middle of a turn leaves: only memory can have ended it. */
const BROKEN: SandboxTurn = {
  state: { kind: 'stopped', why: 'memory' },
  requests: [],
  lines: [],
  omitted: 0,
  spent: 0,
};

/** A thread that runs code, one piece after the other. */
export class CodeThread {
  readonly #worker: Worker;
  readonly #ready: Promise<unknown>;
  #answer: ((turn: SandboxTurn) => void) | undefined;
  #ended = false;

  /** @param entry the module that it runs: `dist/code-worker.js` */
  constructor(entry: string | URL, data: CodeWorkerData) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#ready = promise;
    this.#worker = new Worker(entry, {
      name: 'code of a model',
      workerData: data,
      // Nothing of this process is for code: no environment, and no options it was started with.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
    });
    this.#worker.on('message', (message: 'ready' | SandboxTurn) => {
      if (message === 'ready') resolve(undefined);
      else this.#settle(message);
    });
    this.#worker.on('error', () => this.#settle(BROKEN));
    this.#worker.once('exit', () => {
      this.#ended = true;
      resolve(undefined);
      this.#settle(BROKEN);
    });
    // A worker is no reason for a process to live on.
    this.#worker.unref();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when it can run code. */
  ready(): Promise<unknown> {
    return this.#ready;
  }

  /** One turn of the code. One at a time. */
  turn(input: Input): Promise<SandboxTurn> {
    if (this.#ended) return Promise.resolve(BROKEN);
    const { promise, resolve } = Promise.withResolvers<SandboxTurn>();
    this.#answer = resolve;
    this.#worker.postMessage(input);
    return promise;
  }

  async terminate(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }

  #settle(turn: SandboxTurn): void {
    this.#answer?.(turn);
    this.#answer = undefined;
  }
}

/** The limits as the watch outside of the thread keeps them: what QuickJS itself cannot interrupt is ended a little later. */
export function wallTimeOf({ time }: CodeLimits, spent: number): number {
  return Math.max(0, time - spent) + Math.max(50, time * 0.05);
}
