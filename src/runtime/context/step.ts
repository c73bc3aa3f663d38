import { createContext, type Operation, scoped, until } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import { RollbackError, StepError } from '../../core/errors/journal-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { RolledBack, Step, StepOptions, StepRun } from '../../core/tool/step.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { causeOf, toJson } from '../data/json-data.ts';
import { outcomeValue, type StepOutcome, type StepTurn } from '../journal/step-gate.ts';
import { StepDoublesContext } from '../session/step-doubles.ts';

/** The step whose code this is, inside one. */
const WithinStep = createContext<string | undefined>('parley.step', undefined);

type Code = (step: StepRun) => unknown;
type UndoCode = (result: unknown, step: Pick<StepRun, 'id'>) => unknown;

/** `ctx.step` of one level of a call. */
export function createStep(call: ToolSide, frame: Frame): Step {
  function* step(name: string, fn: Code, options: StepOptions<never> = {}): Operation<unknown> {
    checkStep(name, fn, options);
    let id = '';
    const outcome = yield* stepped(call, frame, [name, fn, options], (opened) => {
      id = opened;
    });
    const result = outcomeValue(outcome);
    const undo = options.undo as UndoCode | undefined;
    if (undo) call.done.push({ name, undo: () => undo(structuredClone(result), { id: `${call.id}/${id}` }) });
    else if (!options.reads) call.done.push({ name });
    return result;
  }
  return step as Step;
}

/** `ctx.rollback` of one level of a call. @throws `RollbackError` */
export function* rollBack(call: ToolSide, frame: Frame, failure?: Error): Operation<RolledBack> {
  const failed: string[] = [];
  const undone: string[] = [];
  const kept: string[] = [];
  const reasons: string[] = [];
  let cause: unknown;
  for (let one = call.done.pop(); one; one = call.done.pop()) {
    const { name, undo } = one;
    if (!undo) {
      kept.push(name);
      continue;
    }
    try {
      outcomeValue(yield* stepped(call, frame, [`undo ${name}`, undo, {}]));
      undone.push(name);
    } catch (error) {
      cause ??= error;
      failed.push(name);
      reasons.push(toError(error).message);
    }
  }
  if (failed.length > 0) {
    const why = defined({ failure: failure?.message });
    throw new RollbackError({ failed, undone, kept, reasons, ...why, cause: failure ?? cause });
  }
  return { undone, kept };
}

function* stepped(
  call: ToolSide,
  frame: Frame,
  [name, fn, { undo, reads }]: readonly [string, Code, StepOptions<never>],
  began?: (id: string) => void,
): Operation<StepOutcome> {
  yield* mayBegin(call, frame, 'step', `begins the step '${name}'`);
  const given = {
    name,
    depth: frame.depth,
    reads: reads === true,
    undo: undo !== undefined,
    opened(id: string) {
      began?.(id);
      if (undo) keepUndo(call, id, name, undo as UndoCode);
    },
    *code({ id, attempt }: StepTurn): Operation<StepOutcome> {
      call.gate.steps.running += 1;
      try {
        return yield* run(name, () => fn({ id: `${call.id}/${id}`, attempt }));
      } finally {
        call.gate.steps.running -= 1;
      }
    },
  };
  return yield* call.gate.steps.run(given, frame);
}

/**
 * Whether something may begin here and now.
 *
 * @param what it is, for a step that does it
 * @throws `CallEndedError` when the call, or the branch that this is the context of, is over; `StepError` inside a step
 */
export function* mayBegin(call: ToolSide, frame: Frame, verb: string, what: string): Operation<void> {
  if (call.over || frame.closed) throw new CallEndedError({ verb });
  yield* refuseInStep(call, what);
}

/** @throws `StepError` inside a step: it does one thing with the world, and is run again as a whole */
function* refuseInStep(call: ToolSide, what: string): Operation<void> {
  if (call.gate.steps.running === 0) return;
  const within = yield* WithinStep.get();
  if (within !== undefined) {
    throw new StepError({
      step: within,
      problem: `${what}, which is not possible in a step: do it before or after the step.`,
    });
  }
}

/** Whether this is the code of a step. */
export function* isWithinStep(call: ToolSide): Operation<boolean> {
  return call.gate.steps.running > 0 && (yield* WithinStep.get()) !== undefined;
}

function* run(name: string, code: () => unknown): Operation<StepOutcome> {
  try {
    const given = yield* scoped(function* () {
      yield* WithinStep.set(name);
      return yield* resultOf(code());
    });
    const json = toJson(given);
    if (!json.ok)
      throw new StepError({
        step: name,
        problem: `gave what is not JSON: ${json.problem}. Return JSON, or nothing.`,
        ...causeOf(json),
      });
    return { ok: true, result: json.value };
  } catch (error) {
    return { ok: false, error: errorData(error) };
  }
}

/** What code gives, whether it is an operation, a promise, or a plain function. */
function* resultOf(given: unknown): Operation<unknown> {
  if (typeof given !== 'object' || given === null) return given;
  if ('then' in given && typeof given.then === 'function') return yield* until(given as Promise<unknown>);
  if (Array.isArray(given) || !(Symbol.iterator in given)) return given;
  const steps = (given as Operation<unknown>)[Symbol.iterator]();
  return isIteratorOfData(steps) ? given : yield* { [Symbol.iterator]: () => steps };
}

/** Iterators of the language go through data: of a Map, a Set, bytes, the headers of a response. */
const IteratorPrototype: unknown = Object.getPrototypeOf(Object.getPrototypeOf([].values()));

function isIteratorOfData(steps: Iterator<unknown>): boolean {
  return Object.getPrototypeOf(Object.getPrototypeOf(steps)) === IteratorPrototype && !('throw' in steps);
}

function keepUndo(call: ToolSide, id: string, name: string, undo: UndoCode): void {
  call.gate.undos.set(id, function* (result) {
    const double = (yield* StepDoublesContext.get())?.(`undo ${name}`);
    if (double) return void outcomeValue(double);
    yield* scoped(function* () {
      yield* WithinStep.set(name);
      yield* resultOf(undo(result, { id: `${call.id}/${id}` }));
    });
  });
}

function checkStep(name: unknown, fn: unknown, options: StepOptions<never>): void {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new StepError({
      step: typeof name === 'string' ? name : '',
      problem: 'has no name: write ctx.step(name, fn).',
    });
  }
  if (typeof fn !== 'function')
    throw new StepError({ step: name, problem: 'has no code: write ctx.step(name, fn).' });
  // A function there is meant to be `undo`, and would never run.
  if (!isObject(options))
    throw new StepError({ step: name, problem: 'takes { reads, undo } after its code.' });
  const { undo, reads } = options;
  if (undo !== undefined && typeof undo !== 'function') {
    throw new StepError({ step: name, problem: `has an undo that is no function, but ${typeof undo}.` });
  }
  if (undo && reads) {
    throw new StepError({
      step: name,
      problem: 'only reads, so there is nothing to undo: leave out either reads or undo.',
    });
  }
}

/** `ctx.sleep` of one level of a call. @throws `StepError` inside a step */
export function* sleepUntilDue(call: ToolSide, frame: Frame, milliseconds: number): Operation<void> {
  if (typeof milliseconds !== 'number' || Number.isNaN(milliseconds)) {
    throw new StepError({ step: 'sleep', problem: `takes milliseconds, not ${shown(milliseconds)}.` });
  }
  yield* refuseInStep(call, 'sleeps');
  yield* call.gate.steps.sleep(Math.max(0, milliseconds), frame.depth, frame);
}

/** A text looks like one. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
