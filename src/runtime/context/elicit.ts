import { type Operation, race } from 'effection';
import { McpTimeoutError } from '../../core/errors/call-errors.ts';
import {
  ElicitationCancelledError,
  ElicitationDeclinedError,
  ElicitationModeError,
  ElicitationOptionsError,
} from '../../core/errors/elicit-errors.ts';
import { compileFormSchema } from '../../core/form/compile-form-schema.ts';
import { type FormValues, fillIn } from '../../core/form/fill-in.ts';
import type { FormJsonSchema } from '../../core/form/form-schema.ts';
import { withReplies } from '../../core/form/wire-form.ts';
import type { OpenedPage, PageResult } from '../../core/page/elicit-page.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Schema } from '../../core/schema/schema.ts';
import type { Elicit, ElicitDeclarations, ElicitResult, RetryOptions } from '../../core/tool/elicit.ts';
import type { ElicitRefusal, ElicitReply } from '../../core/tool/elicit-refusal.ts';
import { isReservedContextField, optionLike } from '../../core/tool/reserved-fields.ts';
import type { Frame } from '../call/frame.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { MAX_ATTEMPTS } from '../session/attempts.ts';
import { type AskedQuestion, askForm, INLINE_KEY } from './asks/elicit-ask.ts';
import { askPage, pageRequestOf } from './asks/page-ask.ts';
import { ALL, together } from './asks/together.ts';
import { reportNow } from './report.ts';
import { sleepUntilDue } from './step.ts';
import type { Unfinished } from './unfinished.ts';

type Options = Readonly<Record<string, unknown>>;

type Result = ElicitResult<unknown> | PageResult | ElicitReply;

/** `ctx.elicit` of one level of a call, with `strict` and `withRetry`. */
export function createElicit<E extends ElicitDeclarations>(
  call: ToolSide,
  frame: Frame,
  unfinished: Unfinished,
): Elicit<E> {
  const noted = (first: unknown, second?: unknown) =>
    unfinished.note('ctx.elicit', elicit(call, frame, first, second), keyIn(first));
  noted.strict = (first: unknown, second?: unknown) =>
    unfinished.note('ctx.elicit.strict', strict(call, frame, first, second), keyIn(first));
  noted.withRetry = (first: unknown, second?: unknown) =>
    unfinished.note('ctx.elicit.withRetry', withRetry(call, frame, first, second), keyIn(first));
  noted.all = (questions: unknown, options?: unknown) =>
    unfinished.note('ctx.elicit.all', allOf(call, frame, questions, options));
  // The declared types of the keys exist only at compile time; what they promise is checked by `questionOf`.
  return noted as unknown as Elicit<E>;
}

const keyIn = (first: unknown): unknown => (typeof first === 'string' ? first : undefined);

// Not within the verb: a generator function that is made for each call costs each call that waits a hidden class.

function* elicit(call: ToolSide, frame: Frame, first: unknown, second?: unknown): Operation<Result> {
  return yield* askedOnce(call, frame, first, second).ask();
}

function* strict(call: ToolSide, frame: Frame, first: unknown, second?: unknown): Operation<unknown> {
  const { key, ask, replies } = askedOnce(call, frame, first, second);
  const answer = replies ? undefined : yield* ask();
  if (answer === undefined || answer.action === 'reply') {
    const problem = "ctx.elicit.strict gives answers alone: take 'replies' with ctx.elicit";
    throw new ElicitationOptionsError({ key, problem });
  }
  if (answer.action === 'accept') return 'content' in answer ? answer.content : openedOf(answer);
  throw refusal(key, answer);
}

/** Several declared questions in one round. */
function* allOf(call: ToolSide, frame: Frame, questions: unknown, options: unknown): Operation<Result> {
  const each = Object.entries((questions ?? {}) as Options).map(([key, asked]) => {
    const { question, retry, timeout } = questionOf(call, key, asked);
    const extra = [...Object.keys(question.context), ...Object.keys(retry), ...(timeout ? ['timeout'] : [])];
    if (question.json.replies !== undefined) extra.push('replies');
    if (question.person) extra.push('person');
    if (extra.length === 0) return [key, question] as const;
    throw new ElicitationOptionsError({
      key,
      problem: `it has '${extra[0]}', and in ctx.elicit.all a question takes { message, values }`,
    });
  });
  const { message, timeout, person, replies, ...rest } = (options ?? {}) as Options;
  const key = ALL;
  for (const name of Object.keys(rest))
    throw new ElicitationOptionsError({
      key,
      problem: `it has '${name}', and takes { message, timeout, person, replies }`,
    });
  const question = together(
    Object.fromEntries(each),
    message === undefined ? undefined : messageOf(key, message),
  );
  const asked = { ...question, ...isForPerson(key, person), json: replying(key, question.json, replies) };
  return yield* inTime(call, frame, { key, wait: timeoutOf(key, timeout) }, () =>
    askForm(call, frame, asked),
  );
}

const WAYS: readonly unknown[] = ['retry', 'error', 'return'] satisfies RetryOptions['onDecline'][];

function* withRetry(call: ToolSide, frame: Frame, first: unknown, second?: unknown): Operation<Result> {
  const { key, ask, retry } = askedOf(call, frame, first, second);
  const { maxAttempts = MAX_ATTEMPTS, onDecline = 'retry' } = retry;
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new ElicitationOptionsError({ key, problem: 'maxAttempts is a whole number from 1 on' });
  }
  if (!WAYS.includes(onDecline)) {
    throw new ElicitationOptionsError({ key, problem: `onDecline is one of ${WAYS.join(', ')}` });
  }
  for (let attempt = 1; ; attempt++) {
    const answer = yield* ask();
    if (answer.action !== 'decline' || onDecline === 'return') return answer;
    if (onDecline === 'error' || attempt >= maxAttempts) throw refusal(key, answer);
  }
}

function refusal(key: string, { action, answeredBy }: ElicitRefusal): Error {
  const facts = { key, answeredBy };
  return action === 'decline' ? new ElicitationDeclinedError(facts) : new ElicitationCancelledError(facts);
}

/** What was asked for, made ready. */
interface Asked {
  readonly key: string;
  readonly retry: RetryOptions;
  readonly replies: boolean;
  ask(): Operation<Result>;
}

/** @throws `ElicitationOptionsError` where it says how often to ask, which nobody would hear */
function askedOnce(call: ToolSide, frame: Frame, first: unknown, second: unknown): Asked {
  const asked = askedOf(call, frame, first, second);
  const [name] = Object.keys(asked.retry);
  if (name === undefined) return asked;
  throw new ElicitationOptionsError({
    key: asked.key,
    problem: `it has '${name}', which ctx.elicit.withRetry takes`,
  });
}

function askedOf(call: ToolSide, frame: Frame, first: unknown, second: unknown): Asked {
  if (isPage(first)) {
    const page = pageRequestOf(first);
    const retry = retryOf(first.maxAttempts, first.onDecline);
    const wait = timeoutOf(INLINE_KEY, first.timeout);
    const ask = () => inTime(call, frame, { key: INLINE_KEY, wait }, () => askPage(call, frame, page));
    return { key: INLINE_KEY, retry, replies: false, ask };
  }
  const { question, retry, timeout } = questionOf(call, first, second);
  const key = question.key ?? question.name ?? INLINE_KEY;
  const wait = timeoutOf(key, timeout);
  return {
    key,
    retry,
    replies: question.json.replies !== undefined,
    ask: () => inTime(call, frame, { key, wait }, () => askForm(call, frame, question)),
  };
}

/** Asks for so long. The moment is that of a sleep: in the journal, and the same after a restart. @throws `McpTimeoutError` */
function* inTime<T>(
  call: ToolSide,
  frame: Frame,
  { key, wait }: { readonly key: string; readonly wait: number | undefined },
  ask: () => Operation<T>,
): Operation<T> {
  if (wait === undefined) return yield* ask();
  function* asked(): Operation<{ readonly answer: T } | undefined> {
    return { answer: yield* ask() };
  }
  function* late(): Operation<undefined> {
    yield* sleepUntilDue(call, frame, wait ?? 0);
    return undefined;
  }
  const came = yield* race([asked(), late()]);
  if (came) return came.answer;
  throw new McpTimeoutError({ what: `the answer to '${key}'`, timeout: wait });
}

function timeoutOf(key: string, timeout: unknown): number | undefined {
  if (timeout === undefined || (typeof timeout === 'number' && timeout > 0 && Number.isFinite(timeout)))
    return timeout;
  throw new ElicitationOptionsError({ key, problem: "'timeout' is a number of milliseconds above 0" });
}

function isPage(options: unknown): options is Options & RetryOptions {
  return typeof options === 'object' && options !== null && 'mode' in options && options.mode === 'url';
}

function openedOf({ elicitationId, completed }: Extract<PageResult, { action: 'accept' }>): OpenedPage {
  return { elicitationId, completed };
}

function questionOf(
  call: ToolSide,
  first: unknown,
  second: unknown,
): { question: AskedQuestion; retry: RetryOptions; timeout: unknown } {
  const { def } = call.tool;
  if (typeof first === 'string') {
    const { message, mode, values, form, timeout, person, replies, maxAttempts, onDecline, ...context } =
      (second ?? {}) as Options & RetryOptions;
    checkMode(mode);
    const declared = Object.hasOwn(def.elicits, first) ? def.elicits[first] : undefined;
    if (!declared) {
      const known = Object.keys(def.elicits).map((key) => `'${key}'`);
      throw new ElicitationOptionsError({
        key: first,
        problem: `the tool '${call.toolName}' declares no such key (it declares ${known.join(', ') || 'none'})`,
      });
    }
    const reserved = Object.keys(context).find(isReservedContextField);
    if (reserved !== undefined) {
      throw new ElicitationOptionsError({
        key: first,
        problem: `no context field may be called '${reserved}', because every request has a field of that name`,
      });
    }
    for (const name of declared.context ? [] : Object.keys(context)) {
      const option = optionLike(name);
      if (option === undefined) continue;
      const said = `ctx.elicit('${first}', …) was given '${name}', which is context for the view of the question: write '${option}' if that was meant`;
      reportNow(call, call.root, 'warning', said);
    }
    return {
      question: {
        key: first,
        ...isForPerson(first, person),
        message: messageOf(first, message),
        schema: declared.response,
        json: replying(first, filledIn(first, formOf(call, form) ?? declared.json, values), replies),
        context,
        contextSchema: declared.context,
      },
      retry: retryOf(maxAttempts, onDecline),
      timeout,
    };
  }
  const { key, message, mode, schema, timeout, person, replies, maxAttempts, onDecline, ...rest } = (first ??
    {}) as Options & RetryOptions;
  checkMode(mode);
  const name = nameOf(key, call);
  const text = messageOf(name ?? INLINE_KEY, message);
  for (const name of Object.keys(rest))
    throw new ElicitationOptionsError({ key: INLINE_KEY, problem: unheard(name) });
  return {
    question: {
      key: undefined,
      ...defined({ name }),
      ...isForPerson(name ?? INLINE_KEY, person),
      message: text,
      schema: schema as Schema,
      json: replying(
        name ?? INLINE_KEY,
        compileFormSchema(schema as Schema, { of: `tool '${call.toolName}'` }),
        replies,
      ),
      context: {},
      contextSchema: undefined,
    },
    retry: retryOf(maxAttempts, onDecline),
    timeout,
  };
}

/** What a question made at run time is called. @throws `ElicitationOptionsError` for a name that another one has, or none can have */
function nameOf(key: unknown, { tool }: ToolSide): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[^#]+$/.test(key) && !Object.hasOwn(tool.def.elicits, key)) return key;
  const problem = "a key is a text without '#' that no declared question has";
  throw new ElicitationOptionsError({ key: String(key), problem });
}

function formOf({ toolName }: ToolSide, form: unknown): FormJsonSchema | undefined {
  return form === undefined ? undefined : compileFormSchema(form as Schema, { of: `tool '${toolName}'` });
}

function filledIn(key: string, form: FormJsonSchema, values: unknown): FormJsonSchema {
  if (values === undefined) return form;
  if (typeof values !== 'object' || values === null) {
    throw new ElicitationOptionsError({ key, problem: "'values' is an object with values for its fields" });
  }
  const filled = fillIn(form, values as FormValues);
  if (typeof filled === 'string') throw new ElicitationOptionsError({ key, problem: filled });
  return filled;
}

function replying(key: string, form: FormJsonSchema, replies: unknown): FormJsonSchema {
  if (replies === undefined || replies === false) return form;
  if (replies === true) return withReplies(form);
  throw new ElicitationOptionsError({ key, problem: "'replies' is true or false" });
}

function isForPerson(key: string, person: unknown): { readonly person?: true } {
  if (person === undefined || person === false) return {};
  if (person === true) return { person };
  throw new ElicitationOptionsError({ key, problem: "'person' is true or false" });
}

function retryOf(
  maxAttempts: RetryOptions['maxAttempts'],
  onDecline: RetryOptions['onDecline'],
): RetryOptions {
  return {
    ...defined({ maxAttempts, onDecline }),
  };
}

function messageOf(key: string, message: unknown): string {
  if (typeof message === 'string') return message;
  throw new ElicitationOptionsError({
    key,
    problem: 'it has no message: pass { message } with the question as text',
  });
}

/** Why an option of a question made at run time would do nothing. */
function unheard(name: string): string {
  if (name === 'values')
    return "it has 'values', which declared questions take: say .default(…) in its schema";
  if (name === 'url') return "it has a 'url' and not mode: 'url'";
  return `it has '${name}', which nothing would read: it takes { message, schema, key, timeout, person, replies }`;
}

function checkMode(mode: unknown): void {
  if (mode !== undefined && mode !== 'form') throw new ElicitationModeError({ mode });
}
