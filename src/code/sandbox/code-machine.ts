import { EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { transform } from 'sucrase';
import type { CodeLimits, Input, SandboxState, SandboxTurn, SettledCall } from './messages.ts';
import { Outbox, thrown } from './outbox.ts';
import { PRELUDE } from './prelude.ts';

/** Counts the time that code runs, turn by turn, and says when it is used up. */
class Deadline {
  readonly #limit: number;
  #spent = 0;
  #since = 0;
  #end = Number.POSITIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  start(): void {
    this.#since = performance.now();
    this.#end = this.#since + this.#limit - this.#spent;
  }

  /** @returns whether the time is used up */
  stop(): boolean {
    this.#spent += performance.now() - this.#since;
    return this.#spent >= this.#limit;
  }

  get passed(): boolean {
    return performance.now() > this.#end;
  }

  /** Milliseconds. */
  get spent(): number {
    return this.#spent;
  }
}

/**
 * TypeScript, or JavaScript, as a script that gives a promise of what the code returns. Lines stay where they are.
 *
 * @throws SyntaxError for what is neither
 */
function asScript(code: string): string {
  const { code: plain } = transform(`(async () => {${code}\n})()`, {
    transforms: ['typescript'],
    disableESTransforms: true,
  });
  return plain;
}

/** Bytes of the stack: QuickJS ends what recurses more deeply while its own is not used up. */
const STACK = 256 * 1024;

/** What could tell the host's time, or when its memory is cleaned, is left out. */
const INTRINSICS = Intrinsics.ALL & ~Intrinsics.PERFORMANCE & ~Intrinsics.WEAK_REF;

/**
 * A machine of its own that runs code of a model: a WebAssembly instance with its own memory, which can do nothing but compute
 * and hand text to `Outbox`. It is used once.
 */
export class CodeMachine {
  readonly #vm: QuickJS;
  readonly #deadline: Deadline;
  readonly #outbox: Outbox;
  readonly #settle: JSValueHandle;
  readonly #finish: JSValueHandle;

  private constructor(vm: QuickJS, deadline: Deadline, outbox: Outbox) {
    this.#vm = vm;
    this.#deadline = deadline;
    this.#outbox = outbox;
    const send = vm.newFunction('send', (kind, text, tool, id) => {
      // Only the prelude has it, and gives it text.
      if (!kind?.isString || !text?.isString) return vm.undefined;
      const call = tool?.isString && id?.isNumber ? { tool: tool.toString(), id: id.toNumber() } : undefined;
      const said = outbox.take(kind.toString(), text.toString(), call);
      return said === undefined ? vm.undefined : vm.newString(said);
    });
    const made = vm.callFunction(vm.evalCode(PRELUDE, 'prelude'), vm.undefined, send);
    this.#settle = made.getProp('0');
    this.#finish = made.getProp('1');
  }

  static async create(wasm: WebAssembly.Module, limits: CodeLimits): Promise<CodeMachine> {
    const deadline = new Deadline(limits.time);
    const vm = await QuickJS.create({
      wasm,
      memoryLimit: limits.memory,
      maxStackSize: STACK,
      intrinsics: INTRINSICS,
      timezoneOffset: 0,
      interruptHandler: () => deadline.passed,
      wasi: worldOf,
    });
    return new CodeMachine(vm, deadline, new Outbox(limits));
  }

  /** Lets the code run until it waits, or is over. */
  turn(input: Input): SandboxTurn {
    this.#deadline.start();
    const trap = this.#attempt(() => {
      if (input.kind === 'run') this.#begin(input.code);
      else for (const one of input.settled) this.#tell(one);
      this.#vm.executePendingJobs();
    });
    const late = this.#deadline.stop();
    const state: SandboxState = late ? { kind: 'stopped', why: 'time' } : (trap ?? this.#outbox.state);
    return { ...this.#outbox.empty(), state, spent: this.#deadline.spent };
  }

  #begin(code: string): void {
    const promise = this.#vm.evalCode(asScript(code), 'code.ts', EvalFlags.STRICT);
    this.#vm.callFunction(this.#finish, this.#vm.undefined, promise);
  }

  #tell(settled: SettledCall): void {
    const vm = this.#vm;
    const text = settled.ok
      ? (settled.json ?? '')
      : JSON.stringify([settled.error.name, settled.error.message, settled.error.code ?? null]);
    const args = [vm.newNumber(settled.id), vm.newString(settled.ok ? 'yes' : 'no'), vm.newString(text)];
    vm.callFunction(this.#settle, vm.undefined, ...args).dispose();
    for (const arg of args) arg.dispose();
  }

  /** What ended it, when it did not end by itself. An exception is the code's; anything else broke the machine. */
  #attempt(run: () => void): SandboxState | undefined {
    try {
      run();
      return undefined;
    } catch (error) {
      if (error instanceof JSException)
        return thrown(`${error.name}: ${error.message}\n${error.stack ?? ''}`.trim());
      if (error instanceof SyntaxError) return thrown(`SyntaxError: ${error.message}`);
      return { kind: 'stopped', why: 'depth' };
    }
  }
}

/** The world as its system calls see it: no time, no chance, no files, nobody who reads what it prints. */
function worldOf(memory: WebAssembly.Memory) {
  const BAD_FILE = 8;
  return {
    clock_time_get(_clock: number, _precision: bigint, at: number): number {
      new DataView(memory.buffer).setBigUint64(at, 0n, true);
      return 0;
    },
    random_get(at: number, length: number): number {
      new Uint8Array(memory.buffer, at, length).fill(0);
      return 0;
    },
    fd_write: () => BAD_FILE,
  };
}
