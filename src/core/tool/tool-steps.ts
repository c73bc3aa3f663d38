import type { ToolFacts } from './tool.ts';

/** The steps of `createMcpTool(name)`, in the order in which they may be called. */
export type StepName = 'description' | 'parameters' | OptionalStepName | 'elicits' | 'execute' | 'handoff';

/** Steps that may be left out; in any order between `parameters` and `elicits`, each once. */
type OptionalStepName = 'output' | keyof ToolFacts;

type StepBefore<S extends StepName> = S extends 'description'
  ? never
  : S extends 'parameters'
    ? 'description'
    : S extends 'execute' | 'handoff'
      ? 'elicits'
      : 'parameters';

type FirstMissing<S extends StepName, Done> = [StepBefore<S>] extends [never]
  ? never
  : [StepBefore<S>] extends [Done]
    ? never
    : [FirstMissing<StepBefore<S>, Done>] extends [never]
      ? StepBefore<S>
      : FirstMissing<StepBefore<S>, Done>;

/** The sentence that says why a step is refused after the steps in `Done`; `never` when it is not. */
export type StepRefusal<S extends StepName, Done> = [FirstMissing<S, Done>] extends [never]
  ? [S] extends [Done]
    ? `.${S}() was called before: each step is given once`
    : [S] extends [OptionalStepName]
      ? ['elicits'] extends [Done]
        ? `call .${S}() before .elicits()`
        : never
      : never
  : `call .${FirstMissing<S, Done>}() before .${S}()`;

/** The step as it is, or a method that nothing can be passed to: its parameter's type is the sentence that says why. */
export type BuilderStep<S extends StepName, Done, Method> = [StepRefusal<S, Done>] extends [never]
  ? Method
  : (refused: StepRefusal<S, Done>) => never;

const BEFORE: Partial<Record<StepName, StepName>> = {
  parameters: 'description',
  elicits: 'parameters',
  execute: 'elicits',
  handoff: 'elicits',
};

/** {@link StepRefusal} at run time; `undefined` when the step may be taken. */
export function stepRefusal(step: StepName, done: ReadonlySet<StepName>): string | undefined {
  const missing = firstMissing(step, done);
  if (missing) return `call .${missing}() before .${step}()`;
  if (done.has(step)) return `.${step}() was called before: each step is given once`;
  if (isOptional(step) && done.has('elicits')) return `call .${step}() before .elicits()`;
  return undefined;
}

function isOptional(step: StepName): boolean {
  return step !== 'description' && !(step in BEFORE);
}

function firstMissing(step: StepName, done: ReadonlySet<StepName>): StepName | undefined {
  const before = BEFORE[step] ?? (isOptional(step) ? 'parameters' : undefined);
  if (before === undefined || done.has(before)) return undefined;
  return firstMissing(before, done) ?? before;
}
