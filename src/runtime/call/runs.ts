import { type Operation, type Result, type Scope, until } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { JournalLine } from '../journal/lines.ts';
import type { StepToUndo } from '../journal/rewind-plan.ts';
import type { SessionHappening } from '../session/events.ts';
import type { RewindOptions } from '../session/session.ts';
import { type Begun, begin } from '../taskless/begin.ts';
import type { ContextPlace } from '../taskless/wait.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import type { RewoundCall } from './again/going-back.ts';
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
  #prepare: (into: ContextPlace) => void = () => {};
  /** The code is let go to begin again. */
  #goingBack = false;
  #last: Promise<void> = Promise.resolve();

  constructor(call: RunningCall) {
    this.#call = call;
    this.#ending = new Ending(this);
  }

  /** Begins the code; with `up`, it is taken to where a journal leaves it. What is given is for {@link adopt}. */
  begin(code: Code, up?: UpTo): Begun<JsonValue | undefined> {
    this.#code = code;
    if (up) this.#call.prepare(up);
    return begin(code);
  }

  /** Takes up the code where {@link begin} left it. `prepare` runs first in the call's own scope. */
  adopt(begun: Begun<JsonValue | undefined>, prepare: (into: ContextPlace) => void): void {
    this.#prepare = prepare;
    const ending = this.#ending;
    this.#call.start();
    if (begun.done) {
      this.#call.settle(begun.result);
      ending.down();
    } else {
      ending.adopt(begun, prepare, (result) => {
        if (ending === this.#ending && !this.#goingBack) this.#call.settle(result);
      });
    }
  }

  /** Whether the code is a task: any of it may go on while other parts wait. */
  get isTask(): boolean {
    return this.#ending.isTask;
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
      const { rewindCall } = yield* until(import('./again/going-back.ts'));
      yield* rewindCall(call, askId, options);
    });
  }

  /** Goes on with a rewind during which its process died. */
  *goOnGoingBack(undo: readonly StepToUndo[]): Operation<void> {
    yield* this.#goBack(function* (call) {
      const { halted, undoAndGoOn } = yield* until(import('./again/going-back.ts'));
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
      const { changeVersion } = yield* until(import('./again/going-back.ts'));
      yield* changeVersion(call, version, params, up);
    });
  }

  /** Puts the contexts of the call into a scope. */
  prepare(into: ContextPlace): void {
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
        this.adopt(this.begin(code, up), this.#prepare);
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
