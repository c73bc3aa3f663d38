import type { Effect, Operation } from 'effection';
import { ToolCodeError } from '../../core/errors/definition-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { MADE_BY } from '../../core/tool/helper.ts';

/** So many that wait to run are remembered, and of those that never did so many are said. */
const REMEMBERED = 1000;
const SAID = 20;

/** So much of a text tells a verb from others. */
const ABOUT = 60;

/** Which verb of a context was called, or which helper called one. */
interface Noted {
  readonly verb: string;
  /** What tells it from others of its verb: a text, a name, a key. */
  readonly about: unknown;
  /** Where the author called the verb. */
  readonly place: { readonly stack?: string };
  /** How many frames before that are ours. */
  readonly ours: number;
}

/** What a verb of a context gave. */
class Given<T> implements Operation<T> {
  readonly #op: Operation<T>;
  readonly #waiting: Set<Given<unknown>>;
  #noted: Noted;

  constructor(op: Operation<T>, noted: Noted, waiting: Set<Given<unknown>>) {
    this.#op = op;
    this.#waiting = waiting;
    this.#noted = noted;
  }

  /** It is a helper's, by which its author knows it. */
  [MADE_BY](helper: string, about: unknown): void {
    this.#noted = { ...this.#noted, verb: helper, about, ours: this.#noted.ours + 1 };
  }

  /** No field: it has none that a result could hold. */
  get noted(): Noted {
    return this.#noted;
  }

  [Symbol.iterator]() {
    this.#waiting.delete(this);
    return this.#op[Symbol.iterator]();
  }
}

/** Remembers what the verbs of a context give until it runs: code that ends well without that has not done what it says. */
export class Unfinished {
  readonly #waiting = new Set<Given<unknown>>();

  /** The same operation, remembered until it runs. `about` tells it from others of its verb. */
  note<T>(verb: string, op: Operation<T>, about?: unknown): Operation<T> {
    const place = {};
    // 6 µs a verb.
    Error.captureStackTrace(place, Unfinished.prototype.note);
    const given = new Given(op, { verb, about, place, ours: 1 }, this.#waiting);
    if (this.#waiting.size < REMEMBERED) this.#waiting.add(given);
    return given;
  }

  /**
   * What code gives, where all that its verbs gave has begun; what was halted or failed before that need not have. `race` and `all`
   * begin all that they are given.
   *
   * @param warn is told each that never ran: code often fails for want of it
   * @throws `ToolCodeError`
   */
  *checked<T>(toolName: string, code: Operation<T>, warn: (problem: string) => void): Operation<T> {
    let returned: T;
    try {
      returned = yield* code;
    } catch (error) {
      this.#tell(warn);
      throw error;
    }
    if (returned instanceof Given) {
      const { noted } = returned;
      const { verb } = noted;
      const problem = `it returned ${verb}(…) without running it: write \`return yield* ${verb}(…)\``;
      throw mistake(toolName, problem, noted);
    }
    this.#tell(warn);
    for (const { noted } of this.#waiting) throw mistake(toolName, problemOf(noted), noted);
    return returned;
  }

  #tell(warn: (problem: string) => void): void {
    for (const { noted } of [...this.#waiting].slice(0, SAID)) warn(`${problemOf(noted)}${placeOf(noted)}`);
  }
}

function problemOf(noted: Noted): string {
  return `${shown(noted)} did nothing: write \`yield* ${noted.verb}(…)\``;
}

/** Verbs that begin with what tells them apart. */
const NAMED = /^ctx\.(?!log$|notify$)/;

function shown({ verb, about }: Noted): string {
  if (about === undefined) return `${verb}(…)`;
  const whole = String(about);
  const text = JSON.stringify(whole.length > ABOUT ? `${whole.slice(0, ABOUT)}…` : whole);
  return NAMED.test(verb) ? `${verb}(${text}, …)` : `${verb}(…, ${text})`;
}

/** The author's line, where it is one of a file: in built code it is another one. The folder is nobody's business. */
function placeOf({ place, ours }: Noted): string {
  const frame = place.stack?.split('\n')[ours + 1] ?? '';
  const [, name] = /(?:file:|[\s(][\w:]*[\\/])[^\s()]*?([^\s()\\/]+:\d+):\d+\)?$/.exec(frame) ?? [];
  return name === undefined ? '' : ` (${name})`;
}

/** @throws `ToolCodeError` for a result that is an operation or a promise, which nobody has run or waited for */
export function refuseUnfinished(toolName: string, returned: unknown): void {
  if (typeof returned === 'function') throw mistake(toolName, 'it returned a function without calling it');
  if (typeof returned !== 'object' || returned === null) return;
  if (isPromise(returned)) {
    throw mistake(toolName, 'it returned a promise: write `return yield* until(promise)`');
  }
  const tag = Object.prototype.toString.call(returned);
  if (tag === '[object Generator]' || Object.hasOwn(returned, Symbol.iterator)) {
    throw mistake(toolName, 'it returned an operation without running it: write `return yield* operation`');
  }
}

/** The steps of a tool's code, which errors call `what`. @throws `ToolCodeError` when it is none, or yields what is no operation */
export function checkedSteps<T>(toolName: string, code: () => Operation<T>, what = 'it'): Operation<T> {
  return new CheckedCode(toolName, code, what);
}

class CheckedCode<T> implements Operation<T> {
  readonly #toolName: string;
  readonly #code: () => Operation<T>;
  readonly #what: string;

  constructor(toolName: string, code: () => Operation<T>, what: string) {
    this.#toolName = toolName;
    this.#code = code;
    this.#what = what;
  }

  [Symbol.iterator](): CheckedSteps<T> {
    const op = operationOf<T>(begun(this.#code), this.#toolName, this.#what);
    return new CheckedSteps(this.#toolName, this.#what, op[Symbol.iterator]());
  }
}

/** What code gave, as the operation that it has to be. @throws `ToolCodeError`, which calls the code `what` */
export function operationOf<T>(given: unknown, toolName: string, what: string): Operation<T> {
  if (isPromise(given)) {
    given.then(undefined, () => {});
    throw mistake(
      toolName,
      `${what} is an async function: write \`function*\`, and \`yield* until(promise)\``,
    );
  }
  const op = given as Partial<Operation<T>> | null | undefined;
  if (typeof op === 'object' && typeof op?.[Symbol.iterator] === 'function') return op as Operation<T>;
  throw mistake(toolName, `${what} is not a generator function: write \`function*\``);
}

type CallIterator<T> = Iterator<Effect<unknown>, T, unknown>;

/** What they throw is looked at by many from here on. */
class CheckedSteps<T> implements CallIterator<T> {
  readonly #toolName: string;
  readonly #what: string;
  readonly #steps: CallIterator<T>;

  constructor(toolName: string, what: string, steps: CallIterator<T>) {
    this.#toolName = toolName;
    this.#what = what;
    this.#steps = steps;
  }

  next(value: unknown): Step<T> {
    try {
      return this.#checked(this.#steps.next(value));
    } catch (thrown) {
      throw this.#inWords(thrown);
    }
  }

  throw(error: unknown): Step<T> {
    if (!this.#steps.throw) throw error;
    try {
      return this.#checked(this.#steps.throw(error));
    } catch (thrown) {
      throw this.#inWords(thrown);
    }
  }

  return(value?: T): Step<T> {
    if (!this.#steps.return) return { done: true, value: value as T };
    try {
      return this.#steps.return(value);
    } catch (thrown) {
      throw this.#inWords(thrown);
    }
  }

  #inWords(thrown: unknown): Error {
    const error = toError(thrown);
    const problem = problemIn(error);
    return problem === undefined ? error : inAuthorsWords(this.#toolName, `${this.#what} ${problem}`, error);
  }

  #checked(step: Step<T>): Step<T> {
    if (step.done || isEffect(step.value)) return step;
    const error = notAnOperation(this.#toolName, this.#what, step.value);
    if (this.#steps.throw) return this.#checked(this.#steps.throw(error));
    throw error;
  }
}

type Step<T> = ReturnType<CallIterator<T>['next']>;

function begun(code: () => unknown): unknown {
  try {
    return code();
  } catch (thrown) {
    throw toError(thrown);
  }
}

function notAnOperation(toolName: string, what: string, yielded: unknown): Error {
  // So did version 3.
  if (typeof yielded === 'function') return mistake(toolName, `${what} ${OTHER_EFFECTION}`);
  const one = yielded instanceof Given ? yielded.noted : undefined;
  const right = isPromise(yielded) ? 'until(promise)' : one ? `${one.verb}(…)` : 'operation';
  return mistake(toolName, `${what} yields what is no step of an operation: write \`yield* ${right}\``, one);
}

/** How V8 says that what `yield*` was given is no operation. Most of what is none, and comes after a `yield*`, is a promise. */
const NOT_ITERABLE = /^yield\* .+ is not iterable$/;
const NOT_ONE =
  'waits with `yield*` for what is no operation: for a promise write `yield* until(promise)`, with `until` of effection; or the name of what it calls is wrong';
const OTHER_EFFECTION =
  'uses another version of effection than Parley does: install the one that parley-mcp depends on; `npm ls effection` shows both';

/** What is wrong with code that fails with this error, where the error itself tells its author nothing. */
function problemIn(error: Error): string | undefined {
  if (error instanceof TypeError && NOT_ITERABLE.test(error.message)) return NOT_ONE;
  // What one version keeps in a scope, another one looks for under other names.
  const isForeign = error.name === 'MissingContextError' && error.message.startsWith('@effection/');
  return isForeign ? OTHER_EFFECTION : undefined;
}

/** The same failure, at the same line. */
function inAuthorsWords(toolName: string, problem: string, cause: Error): Error {
  const error = new ToolCodeError({ toolName, problem, cause });
  const frames = /\n {4}at [\s\S]*$/.exec(cause.stack ?? '')?.[0];
  if (frames) error.stack = `${error.name}: ${error.message}${frames}`;
  return error;
}

/** The error of the author's line: its stack is the one of where the verb was called. */
function mistake(toolName: string, problem: string, one?: Noted): Error {
  const error = new ToolCodeError({ toolName, problem });
  const frames = one?.place.stack
    ?.split('\n')
    .slice(one.ours + 1)
    .join('\n');
  if (frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}

function isEffect(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'enter' in value;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
