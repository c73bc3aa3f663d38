import type { Operation } from 'effection';
import type { InputOf, ObjectSchema, OutputOf, Schema } from '../schema/schema.ts';
import type { ReportContext, ToolContext } from './context.ts';
import type { CheckedElicits, ElicitDeclarations } from './elicit.ts';
import type { Handoff, Takes, Tool, ToolFacts } from './tool.ts';
import type { BuilderStep } from './tool-steps.ts';

/** What is known of a tool while it is built: types only. `done` is the union of the steps taken. */
export interface Draft {
  readonly name: string;
  readonly params: unknown;
  /** What a caller passes, before defaults and transforms. */
  readonly input: unknown;
  readonly output: Schema | undefined;
  readonly elicits: ElicitDeclarations;
  readonly done: string;
}

/** A tool of which only the name is known. */
export interface NewDraft<Name extends string> extends Draft {
  readonly name: Name;
  readonly output: undefined;
  readonly elicits: Record<never, never>;
  readonly done: never;
}

type With<D extends Draft, S extends string, Change = unknown> = ToolBuilder<
  Omit<D, 'done' | keyof Change> & Change & { readonly done: D['done'] | S } extends infer N extends Draft
    ? { readonly [K in keyof N]: N[K] }
    : never
>;

type Facts<D extends Draft> = {
  readonly [S in keyof ToolFacts]: BuilderStep<
    S,
    D['done'],
    (...said: Parameters<ToolFacts[S]>) => With<D, S>
  >;
};

/**
 * A tool while it is built. Every step gives a new builder, so a builder can be kept and continued in several ways.
 *
 * The order is `description` → `parameters` → (`output` and {@link ToolFacts}: any, in any order, each once) → `elicits` → `execute` or
 * `handoff`. Another order does not compile, and throws a `ToolDefinitionError` that says which step to call first.
 */
export interface ToolBuilder<D extends Draft> extends Facts<D> {
  /** What the tool does, for a model: when to use it, and what it gives back. */
  readonly description: BuilderStep<'description', D['done'], (text: string) => With<D, 'description'>>;

  /** What a call takes: an object schema. Published as `inputSchema`, checked before any code of the tool runs. */
  readonly parameters: BuilderStep<
    'parameters',
    D['done'],
    <S extends Schema>(
      schema: S & ObjectSchema<S>,
    ) => With<D, 'parameters', { readonly params: OutputOf<S>; readonly input: InputOf<S> }>
  >;

  /** What the tool returns: checked, and published as `outputSchema` and `structuredContent`. */
  readonly output: BuilderStep<
    'output',
    D['done'],
    <S extends Schema>(schema: S) => With<D, 'output', { readonly output: S }>
  >;

  /**
   * What the tool may ask the user, by key: the answer's schema, or `{ response, context }` with the schema of what the
   * tool hands to the handler. Answers are flat forms: text, numbers, yes/no, one choice or several. `{}` for none.
   */
  readonly elicits: BuilderStep<
    'elicits',
    D['done'],
    <const E extends ElicitDeclarations>(
      declarations: E & CheckedElicits<E>,
    ) => With<D, 'elicits', { readonly elicits: E }>
  >;

  /** The tool's code: one generator. With `output`, what it returns must fit that schema. */
  readonly execute: BuilderStep<'execute', D['done'], Execute<D>>;

  /**
   * The tool's code in three phases: `before` runs once and hands something on, `client` may ask and sample, `after`
   * runs once with the same handoff and gives the result. A durable call that is taken up again has what `before` handed
   * on; where another tool calls this one, `before` runs again then.
   */
  readonly handoff: BuilderStep<'handoff', D['done'], HandOver<D>>;
}

type OutOf<D extends Draft, R> = D['output'] extends Schema ? OutputOf<D['output']> : R;
type Returns<D extends Draft> = D['output'] extends Schema ? InputOf<D['output']> : unknown;

type Execute<D extends Draft> = <R extends Returns<D>>(
  run: (params: D['params'], ctx: ToolContext<D['elicits']>) => Operation<R>,
) => Tool<D['name'], D['params'], D['elicits'], OutOf<D, R>> & Takes<D['input']>;

type HandOver<D extends Draft> = <H, C, R extends Returns<D>>(phases: {
  before(params: D['params'], ctx: ReportContext): Operation<H>;
  client(handoff: NoInfer<H>, ctx: ToolContext<D['elicits']>, params: D['params']): Operation<C>;
  after(handoff: NoInfer<H>, result: NoInfer<C>, ctx: ReportContext, params: D['params']): Operation<R>;
}) => Tool<D['name'], D['params'], D['elicits'], OutOf<D, R>> & Handoff<H> & Takes<D['input']>;
