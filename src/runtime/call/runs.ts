import { type Operation, type Result, type Scope, until } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { JournalLine } from '../journal/lines.ts';
import type { StepToUndo } from '../journal/rewind-plan.ts';
import type { SessionHappening } from '../session/events.ts';
import type { RewindOptions } from '../session/session.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import { changeVersion, halted, type RewoundCall, rewindCall, undoAndGoOn } from './again/going-back.ts';
import type { UpTo } from './again/taking-up.ts';
import { Ending, type EndingCall } from './ending.ts';
import type { ToolVersion, Undo } from './tool-side.ts';

/** The code of a tool, from its first line. */
export type Code = () => Operation<JsonValue | undefined>;

/** What the runs of a call's code need of it. */
export interface RunningCall {
  readonly tool: AnyTool;
  readonly scope: Scope;
  readonly time: TimeSource;
  readonly cleanupGrace: number;
  readonly over: boolean;
  readonly history: CallJournal;
  /** From its first line its code is taken to where a journal leaves it. */
  prepare(up: UpTo): void;
  /** Its code has begun. */
  start(): void;
  /** Waits until it is there. */
  takenUp(): Operation<boolean>;
  /** What takes back a step. */
  undo(id: string): Undo | undefined;
  diagnose(message: string, cause?: unknown): void;
  emit(happening: SessionHappening): void;
  /** What its code came to. */
  settle(result: Result<JsonValue | undefined>): void;
  /** Ends it, whatever its code would make of the error. */
  endWith(error: Error): void;
  /** Its questions, clocks and branches end, for its code begins again. */
  leave(): void;
  /** It is as it was before its first line; with a `version`, that of another version of its tool. */
  renew(params: unknown, version?: ToolVersion): void;
  /** Nothing of it runs any more. */
  rested(): void;
}

/** The code of a call while it runs: once, as a rule, and once more each time the call goes back. */
export class Runs implements EndingCall {
  readonly #call: RunningCall;
  #ending: Ending;
  #code: Code | undefined;
  #prepare: (into: Scope) => void = () => {};
  /** The code is let go to begin again. */
  #goingBack = false;
  #last: Promise<void> = Promise.resolve();

  constructor(call: RunningCall) {
    this.#call = call;
    this.#ending = new Ending(this);
  }

  /** Begins the code, once `prepare` has put the contexts of the call into its scope; with `up`, it is taken to where a journal leaves it. */
  begin(code: Code, prepare: (into: Scope) => void, up?: UpTo): void {
    this.#code = code;
    this.#prepare = prepare;
    if (up) this.#call.prepare(up);
    const ending = this.#ending;
    ending.run(code, prepare, (result) => {
      if (ending === this.#ending && !this.#goingBack) this.#call.settle(result);
    });
    this.#call.start();
  }

  /** Halts the code; does nothing the second time. */
  halt(): void {
    this.#ending.halt();
  }

  /** Waits until the code has come to rest, or is stuck. */
  wait(): Operation<'down' | 'stuck'> {
    return this.#ending.wait();
  }

  /** Goes back to a question. */
  *rewind(askId: string, options?: RewindOptions): Operation<void> {
    yield* this.#goBack(function* (call) {
      yield* rewindCall(call, askId, options);
    });
  }

  /** Goes on with a rewind during which its process died. */
  *goOnGoingBack(undo: readonly StepToUndo[]): Operation<void> {
    yield* this.#goBack(function* (call) {
      yield* halted(call);
      yield* undoAndGoOn(call, undo);
    });
  }

  /** Goes on with another version of its tool: to where the journal leaves it, as far as that does the same. */
  *change(
    version: ToolVersion,
    params: unknown,
    up: (lines: readonly JournalLine[]) => UpTo,
  ): Operation<void> {
    yield* this.#goBack(function* (call) {
      yield* changeVersion(call, version, params, up);
    });
  }

  /** Puts the contexts of the call into a scope. */
  prepare(into: Scope): void {
    this.#prepare(into);
  }

  /** Apart from whoever wants it, for half a rewind would be none; one after the other. */
  *#goBack(how: (call: RewoundCall) => Operation<void>): Operation<void> {
    const call = this.#rewoundCall();
    const last = this.#last;
    const task = this.#call.scope.run(function* () {
      yield* until(last);
      yield* how(call);
    });
    const over = () => {
      if (!this.#goingBack) return;
      // It ended on its way.
      this.#goingBack = false;
      this.#call.rested();
    };
    this.#last = task.then(over, over);
    yield* until(Promise.resolve(task));
  }

  #rewoundCall(): RewoundCall {
    const call = this.#call;
    return {
      tool: call.tool,
      get over() {
        return call.over;
      },
      history: call.history,
      undo: (id) => call.undo(id),
      emit: (happening) => call.emit(happening),
      prepare: (scope) => this.#prepare(scope),
      takenUp: () => call.takenUp(),
      fail: (error) => call.endWith(error),
      halt: () => {
        this.#goingBack = true;
        call.leave();
        this.#ending.halt();
        return this.#ending.wait();
      },
      again: (params, up, version) => {
        const code = this.#code;
        if (!code) return;
        this.#goingBack = false;
        call.renew(params, version);
        this.#ending = new Ending(this);
        this.begin(code, this.#prepare, up);
      },
    };
  }

  // What its ending uses.

  get scope(): Scope {
    return this.#call.scope;
  }

  get time(): TimeSource {
    return this.#call.time;
  }

  get cleanupGrace(): number {
    return this.#call.cleanupGrace;
  }

  diagnose(message: string, cause?: unknown): void {
    this.#call.diagnose(message, cause);
  }

  rested(): void {
    if (!this.#goingBack || this.#call.over) this.#call.rested();
  }
}
