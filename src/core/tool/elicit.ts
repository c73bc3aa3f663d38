import type { Operation } from 'effection';
import type { FormValue } from '../form/form-schema.ts';
import type { JsonMark } from '../form/json-field.ts';
import type { Message } from '../messages/content.ts';
import type { OpenedPage, PageOptions, PageResult } from '../page/elicit-page.ts';
import type { InputOf, OutputOf, Schema } from '../schema/schema.ts';
import type { AnsweredBy, ElicitRefusal, ElicitReply } from './elicit-refusal.ts';
import type { ReservedContextField } from './reserved-fields.ts';

export type { ReservedContextField } from './reserved-fields.ts';

/** What a tool declares for one elicitation: the answer's schema, or that and the context it hands to the handler. */
export type ElicitDeclaration = Schema | { readonly response: Schema; readonly context: Schema };

/** All elicitations of a tool, by key. */
export type ElicitDeclarations = Readonly<Record<string, ElicitDeclaration>>;

/** The schema of the answer to a declared elicitation. */
export type ResponseSchemaOf<D> = D extends { readonly response: infer R } ? R : D;

/** The typed answer to a declared elicitation. */
export type ContentOf<D> = OutputOf<ResponseSchemaOf<D>>;

/** What a handler may answer with: the schema's input, before defaults and transforms. */
export type AnswerOf<D> = InputOf<ResponseSchemaOf<D>>;

/** Context fields that a tool passes when it asks. A bare schema takes any JSON, under names that are not reserved. */
export type ContextInputOf<D> = D extends { readonly response: Schema; readonly context: infer C }
  ? InputOf<C>
  : { readonly [field: string]: unknown } & {
      readonly [F in Exclude<
        ReservedContextField,
        keyof ElicitSettings | keyof RetryOptions | 'values' | 'form' | 'replies'
      >]?: ReservedField<F>;
    };

/** Context fields as a handler reads them. */
export type ContextOf<D> = D extends { readonly response: Schema; readonly context: infer C }
  ? OutputOf<C>
  : { readonly [field: string]: unknown };

type NotFlat<P extends PropertyKey> =
  `the property '${P & string}' is not a form field: a form holds text, numbers, yes/no, one choice or several choices, and json(schema) takes any data`;

type NotAnObject = 'an answer is an object: wrap the schema in z.object({ … })';

type UnflatProperty<I> = {
  [P in keyof I]-?: [I[P]] extends [FormValue | undefined]
    ? never
    : JsonMark extends keyof NonNullable<I[P]>
      ? never
      : P;
}[keyof I];

/** The sentence that says why no form can show a schema; `never` when one can. */
export type FormProblem<S> =
  unknown extends InputOf<S>
    ? never
    : InputOf<S> extends FormValue | readonly unknown[] | null | undefined
      ? NotAnObject
      : string extends keyof InputOf<S>
        ? never
        : [UnflatProperty<InputOf<S>>] extends [never]
          ? never
          : NotFlat<UnflatProperty<InputOf<S>>>;

/** A schema that a form can show, or the sentence that says which property it cannot. */
export type FormSchema<S> = [FormProblem<S>] extends [never] ? S : FormProblem<S>;

type ReservedField<F extends PropertyKey> =
  `a context field may not be called '${F & string}': every request has a field of that name`;

type ContextProblem<D> = D extends { readonly response: Schema; readonly context: infer C }
  ? [keyof InputOf<C> & ReservedContextField] extends [never]
    ? never
    : string extends keyof InputOf<C>
      ? never
      : ReservedField<keyof InputOf<C> & ReservedContextField>
  : never;

type DeclarationProblem<D> = FormProblem<ResponseSchemaOf<D>> | ContextProblem<D>;

/** `unknown` for each declaration that is fine, and for any other the sentence that says what is wrong with it. */
export type CheckedElicits<E> = {
  readonly [K in keyof E]: [DeclarationProblem<E[K]>] extends [never] ? unknown : DeclarationProblem<E[K]>;
};

/** Which elicitation of which call: the same on every surface. `seq` counts from 1 within the call. */
export interface ElicitRef {
  readonly toolName: string;
  /** The declared key, or `elicit` for a question made at run time. */
  readonly key: string;
  readonly callId: string;
  /** Which question of the call it is, from 1. */
  readonly seq: number;
}

/**
 * One finished elicitation as messages to append to a conversation: the assistant's question, as text and as a `tool_use`,
 * then the user's `tool_result`. `withArguments` says what the `tool_use` shall show as its arguments (the context, by default).
 */
export interface ElicitExchange<Content = unknown> {
  /** The assistant's question. */
  readonly request: Message;
  /** The user's answer. */
  readonly response: Message;
  /** Both, ready to append. */
  readonly messages: readonly [Message, Message];
  /** The same exchange with other arguments of the `tool_use`. */
  withArguments(
    fn: (context: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  ): ElicitExchange<Content>;
}

/** What came of a question. */
export type ElicitResult<Content> =
  | {
      readonly action: 'accept';
      readonly content: Content;
      readonly exchange: ElicitExchange<Content>;
      readonly answeredBy: AnsweredBy;
    }
  | ElicitRefusal;

/** Whether a question takes a word back that is no answer: where it does, {@link ElicitReply} is among its results. */
export interface TakesReplies<R> {
  /** With it the person may write back, beside Submit and Decline: `{ action: 'reply', text }`. */
  readonly replies?: R &
    (boolean extends R
      ? "'replies' is true or false where it is written: its results follow from it"
      : unknown);
}

/** The reply to a question that takes replies. */
export type ReplyTo<R> = boolean extends R ? never : R extends true ? ElicitReply : never;

/** What every question that is a form takes. MCP's other mode is {@link PageOptions}. */
export interface ElicitSettings {
  /** What the person reads above the form. */
  readonly message: string;
  readonly mode?: 'form';
  /** So long it waits for the answer, in milliseconds, also through a restart; then the question is withdrawn and `McpTimeoutError` thrown. */
  readonly timeout?: number;
  /**
   * Only a person may answer: what a client says by itself, or before anybody was asked, is not taken, and the next place where a person
   * can be asked has its turn. Where there is none, it is a cancel with `answeredBy: 'client'`. It goes by marks, and is no proof.
   */
  readonly person?: boolean;
}

/** What a declared question may begin with: values for some of its fields, such as the answer that was given before. */
export interface FilledIn<D> {
  readonly values?: { readonly [K in keyof AnswerOf<D>]?: AnswerOf<D>[K] };
  /**
   * The form that asks where the question's view is not drawn, in place of the one that its schema makes: with the choices that are known
   * only now, say. Its answer has to fit the declared schema.
   *
   * @example
   * const form = z.object({ flight: z.enum(flights.map(({ number }) => number)) });
   * yield* ctx.elicit('pickFlight', { message: 'Which flight?', form, flights });
   */
  readonly form?: Schema;
}

/** What `elicit(key, …)` takes: the message, values to begin with, and the declared context's fields beside them. */
export type ElicitOptions<D> = ElicitSettings &
  FilledIn<D> &
  ContextInputOf<D> & { readonly [F in keyof RetryOptions]?: never };

/** What `elicit.all` takes for each question: the message that heads its page, and values to begin with. */
export type AllElicitOptions<D> = Pick<ElicitSettings, 'message'> &
  FilledIn<D> & { readonly replies?: never };

/** What `elicit.all` takes: a page for each declared question, or the sentence that says which is none. */
export type AllElicits<E, Q> = {
  readonly [K in keyof Q]: K extends keyof E
    ? AllElicitOptions<E[K]>
    : `.elicits() declares no question '${K & string}'`;
};

/** What `elicit.withRetry(key, …)` takes. */
export type RetryElicitOptions<D> = ElicitSettings & FilledIn<D> & ContextInputOf<D> & RetryOptions;

/** What `elicit({ … })` takes for a question known only at run time. */
export interface InlineElicitOptions<S extends Schema> extends ElicitSettings {
  /** Names this question in errors and on the 2026-07-28 wire; `elicit`, and `elicit#n` there, without it. */
  readonly key?: string;
  readonly schema: S & ([FormProblem<S>] extends [never] ? unknown : FormProblem<S>);
}

/**
 * How often to ask, and what to do when the person declines. `maxAttempts` (3 by default) counts questions put to the
 * person, the first included.
 */
export interface RetryOptions {
  /** How often the person is asked at most, the first time included; 3 by default. */
  readonly maxAttempts?: number;
  /** `retry` asks again and throws in the end, `error` throws at once, `return` gives the “no” to the tool. */
  readonly onDecline?: 'retry' | 'error' | 'return';
}

/**
 * Asks the user. Answered accept, decline or cancel; content is validated with the declared schema, and an invalid
 * answer is asked again with the problem shown.
 *
 * @throws `ElicitationPendingError` when another elicitation of this call is open (that one lives on),
 *   `ElicitationInBranchError` in a branch, `McpCapabilityError` when no client of the call can ask a person, `McpTimeoutError` after `timeout`.
 */
export interface Elicit<E extends ElicitDeclarations> {
  <K extends keyof E & string, const R extends boolean = false>(
    key: K,
    options: ElicitOptions<E[K]> & TakesReplies<R>,
  ): Operation<ElicitResult<ContentOf<E[K]>> | ReplyTo<R>>;
  <S extends Schema, const R extends boolean = false>(
    options: InlineElicitOptions<S> & TakesReplies<R>,
  ): Operation<ElicitResult<OutputOf<S>> | ReplyTo<R>>;
  /** Sends the person to a page, once they have agreed. @throws `ElicitationOptionsError` for an address that none should open */
  (options: PageOptions): Operation<PageResult>;

  /** Gives the content of the answer. A decline or a cancel is thrown: `ElicitationDeclinedError`, `ElicitationCancelledError`. */
  strict: {
    <K extends keyof E & string>(
      key: K,
      options: ElicitOptions<E[K]> & TakesReplies<false>,
    ): Operation<ContentOf<E[K]>>;
    <S extends Schema>(options: InlineElicitOptions<S>): Operation<OutputOf<S>>;
    (options: PageOptions): Operation<OpenedPage>;
  };

  /**
   * Asks several declared questions in one round, each on a page of one form, without their views. Everywhere else its fields are called
   * after their question: `seat.row`.
   *
   * @example
   * const trip = yield* ctx.elicit.all({ seat: { message: 'Which row?' }, meal: { message: 'Which dish?' } });
   * if (trip.action === 'accept') yield* ctx.log('info', `${trip.content.seat.row}: ${trip.content.meal.dish}`);
   */
  all<Q extends AllElicits<E, Q>, const R extends boolean = false>(
    questions: Q,
    options?: Partial<Pick<ElicitSettings, 'message' | 'timeout' | 'person'>> & TakesReplies<R>,
  ): Operation<ElicitResult<{ readonly [K in keyof Q]: ContentOf<E[K & keyof E]> }> | ReplyTo<R>>;

  /** Asks again when declined, as {@link RetryOptions} say. A cancel always ends it. */
  withRetry: {
    <K extends keyof E & string, const R extends boolean = false>(
      key: K,
      options: RetryElicitOptions<E[K]> & TakesReplies<R>,
    ): Operation<ElicitResult<ContentOf<E[K]>> | ReplyTo<R>>;
    <S extends Schema, const R extends boolean = false>(
      options: InlineElicitOptions<S> & RetryOptions & TakesReplies<R>,
    ): Operation<ElicitResult<OutputOf<S>> | ReplyTo<R>>;
    (options: PageOptions & RetryOptions): Operation<PageResult>;
  };
}
