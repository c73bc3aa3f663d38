import type { Operation } from 'effection';

/** What the code of a step is told. */
export interface StepRun {
  /** The same in every attempt, and unlike that of any other step: hand it to others as idempotency key. */
  readonly id: string;
  /** 1 at first; one more each time the process ended while it ran. */
  readonly attempt: number;
}

/** What a step gives: a copy, as JSON, of the result of an operation or of a promise, or of the value itself. */
export type Stepped<R> = R extends readonly unknown[] | string
  ? CopyOf<R>
  : R extends Operation<infer T>
    ? CopyOf<T>
    : CopyOf<Awaited<R>>;

/** What becomes of a value on its way through JSON: a date becomes text, wherever it stands. */
type CopyOf<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date
    ? string
    : T extends object
      ? { [K in keyof T]: CopyOf<T[K]> }
      : T;

/** What `step` takes beside its code. */
export interface StepOptions<T> {
  /** It has no effect: going back in the call passes it, and it runs again after. */
  readonly reads?: boolean;
  /**
   * Takes it back, given its result: when the person goes back in the call, by `ctx.rollback()`, and with `.durable({ undo: 'on failure' })`
   * when the tool's code throws. It may run in another process than the step did, and again
   * where its process ended meanwhile; `id` is that of the step.
   */
  readonly undo?: (result: T, step: Pick<StepRun, 'id'>) => unknown;
}

/** `ctx.step(name, fn, options)`: gives what `fn` gives, as JSON. See `ReportContext.step`. */
export type Step = <R>(
  name: string,
  fn: (step: StepRun) => R,
  options?: StepOptions<Stepped<R>>,
) => Operation<Stepped<R>>;

/** What a durable tool promises, and what not. */
export interface Durability {
  /** Its steps may run in two places at once: its state may be used on two replicas without a store between them. */
  readonly forks: boolean;
  /** When its code throws, such as on a “no” to `elicit.strict`, its steps are undone as by `ctx.rollback()`. Not when it is stopped, or out of time. */
  readonly undo?: 'on failure';
}

/** What `ctx.rollback()` did, by the names of steps, the last first. */
export interface RolledBack {
  readonly undone: readonly string[];
  /** Those without `undo`, which have had their effect. */
  readonly kept: readonly string[];
}
