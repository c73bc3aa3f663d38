import type { Operation } from 'effection';
import {
  ElicitationInBranchError,
  ElicitationOptionsError,
  ElicitationPendingError,
} from '../../../core/errors/elicit-errors.ts';
import { toError } from '../../../core/errors/parley-error.ts';
import { AnswerInvalidError } from '../../../core/errors/session-errors.ts';
import type { FormJsonSchema } from '../../../core/form/form-schema.ts';
import { fromWireForm, readTimes } from '../../../core/form/wire-form.ts';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import { type Issue, type Validation, validate, validateNow } from '../../../core/schema/validate.ts';
import type { ElicitAnswer } from '../../../core/tool/ask.ts';
import type { ElicitResult } from '../../../core/tool/elicit.ts';
import type { AnsweredBy, ElicitReply } from '../../../core/tool/elicit-refusal.ts';
import { elicitExchange } from '../../../core/tool/exchange/elicit-exchange.ts';
import type { ToolRequirements } from '../../../core/tool/tool.ts';
import type { Frame } from '../../call/frame.ts';
import type { ToolSide } from '../../call/tool-side.ts';
import { toJson } from '../../data/json-data.ts';
import type { Answer } from '../../session/ask.ts';
import type { AnswerVerdict } from '../../session/open-ask.ts';
import { mayBegin } from '../step.ts';

/** One question, made ready: declared or inline. */
export interface AskedQuestion {
  /** The declared key; `undefined` for a question known only at run time. */
  readonly key: string | undefined;
  /** What one without a key is called. */
  readonly name?: string;
  /** Only a person may answer it. */
  readonly person?: true;
  readonly message: string;
  readonly schema: Schema;
  readonly json: FormJsonSchema;
  readonly context: Readonly<Record<string, unknown>>;
  readonly contextSchema: Schema | undefined;
}

/** What a question without a key is called in messages and exchanges. */
export const INLINE_KEY = 'elicit';

/** Asks the user one question and waits for a valid answer, a decline or a cancel. */
export function* askForm(
  call: ToolSide,
  frame: Frame,
  question: AskedQuestion,
): Operation<ElicitResult<unknown> | ElicitReply> {
  const named = question.key ?? question.name;
  const key = named ?? INLINE_KEY;
  yield* mayAsk(call, frame, key, true);
  const context = yield* parsedContext(key, question);
  const wireContext = jsonContext(key, context);
  // A schema may be asynchronous, and another question may have been faster.
  refuseSecond(call, key);
  const settled = yield* call.ask({
    subject: {
      kind: 'elicit',
      declared: question.key !== undefined,
      ...defined({ person: question.person }),
      request: {
        message: question.message,
        requestedSchema: question.json,
        ...defined({ context: wireContext }),
      },
    },
    key: named,
    depth: frame.depth,
    frame,
    check: (id, given) =>
      checkElicitAnswer(id, given, (content) => checkContent(question, content), {
        key: named,
        ...question.json,
      }),
    realm: {
      plugin: call.plugin,
      params: call.params,
      handoff: call.handoff,
      schema: question.schema,
      context,
      call: call.gate,
    },
  });
  const answer = settled.value as Settled;
  if (answer.action !== 'accept') return answer;
  const { content, answeredBy } = answer;
  const exchange = elicitExchange({
    callId: call.id,
    askId: settled.id,
    key,
    message: question.message,
    context,
    content,
  });
  return { action: 'accept', content, exchange, answeredBy };
}

/** Whether a question may be asked here and now. @throws the `ParleyError` that says why not */
export function* mayAsk(
  call: ToolSide,
  frame: Frame,
  key: string,
  elicitation: ToolRequirements['elicitation'],
): Operation<void> {
  if (frame.depth > 0) throw new ElicitationInBranchError({ key, depth: frame.depth });
  yield* mayBegin(call, frame, 'elicit', `asks '${key}'`);
  call.require({ ...defined({ elicitation }) });
  refuseSecond(call, key);
}

function refuseSecond(call: ToolSide, key: string): void {
  const pending = call.pendingKey();
  if (pending !== undefined) throw new ElicitationPendingError({ key, pendingKey: pending });
}

function* parsedContext(key: string, question: AskedQuestion): Operation<Readonly<Record<string, unknown>>> {
  if (!question.contextSchema) return question.context;
  const checked: Validation<unknown> = yield* validate(question.contextSchema, question.context);
  if (!checked.ok)
    throw new ElicitationOptionsError({ key, problem: `its context does not fit: ${checked.problem}` });
  return checked.value as Readonly<Record<string, unknown>>;
}

function jsonContext(key: string, context: Readonly<Record<string, unknown>>): JsonObject | undefined {
  if (Object.keys(context).length === 0) return undefined;
  const json = toJson(context);
  if (!json.ok)
    throw new ElicitationOptionsError({ key, problem: `its context is not JSON: ${json.problem}` });
  return json.value as JsonObject;
}

/**
 * Checks an answer: its shape here, its content where the original schema is. @throws `AnswerInvalidError` for what is no
 * answer at all.
 */
export function checkElicitAnswer(
  id: string,
  given: Answer,
  check: (content: JsonValue) => AnswerVerdict | Promise<AnswerVerdict>,
  { key, replies }: { readonly key?: string | undefined; readonly replies?: string } = {},
): AnswerVerdict | Promise<AnswerVerdict> {
  const answer = given as Partial<ElicitAnswer<unknown> & { content: unknown }> | null | undefined;
  switch (answer?.action) {
    case 'decline':
    case 'cancel': {
      const { action } = answer;
      return saidBy(answer, { ok: true, value: { action }, answer: { action } });
    }
    case 'accept': {
      const json = toJson(answer.content ?? {});
      if (!json.ok) return { ok: false, problem: `the answer is not JSON: ${json.problem}` };
      const content = json.value ?? {};
      if (replies === undefined || !isObject(content)) return saidBy(answer, check(content));
      const { [replies]: word, ...rest } = content;
      return saidBy(answer, saysWord(word) ? replied(word) : check(rest as JsonObject));
    }
    case 'reply':
      if (replies !== undefined && saysWord(answer.text)) return saidBy(answer, replied(answer.text));
      return { ok: false, problem: replies === undefined ? NO_REPLIES : 'the reply is empty' };
    default:
      throw new AnswerInvalidError({
        askId: id,
        problem: "an answer has the action 'accept' (with content), 'decline' or 'cancel'",
        ...defined({ key }),
      });
  }
}

const NO_REPLIES = 'this question takes an answer, and no reply';

function saysWord(word: unknown): word is string {
  return typeof word === 'string' && word.trim() !== '';
}

function replied(text: string): AnswerVerdict {
  const reply = { action: 'reply', text: text.trim() };
  return { ok: true, value: reply, answer: reply };
}

/** An answer as the tool gets it. */
type Settled = ElicitAnswer<unknown> & { readonly answeredBy: AnsweredBy };

const WHOSE: readonly unknown[] = ['person', 'client'] satisfies AnsweredBy[];

/** With whose answer it is, also on record; of most it is not known, and the record does not say. */
function saidBy(
  answer: Partial<ElicitAnswer<unknown>>,
  verdict: AnswerVerdict | Promise<AnswerVerdict>,
): AnswerVerdict | Promise<AnswerVerdict> {
  if (verdict instanceof Promise) return verdict.then((late) => saidBy(answer, late));
  if (!verdict.ok) return verdict;
  const { answeredBy: by } = answer;
  const known = by !== undefined && WHOSE.includes(by) ? { answeredBy: by } : {};
  return {
    ok: true,
    value: { ...Object(verdict.value), answeredBy: 'unknown', ...known },
    answer: { ...Object(verdict.answer), ...known },
  };
}

/** Checks the content with its schema. What goes to the tool is parsed; what goes on record is JSON as given. */
function checkContent(question: AskedQuestion, given: JsonValue): AnswerVerdict | Promise<AnswerVerdict> {
  const { json } = question;
  let content: JsonValue;
  try {
    content = fromWireForm(json, given);
  } catch (error) {
    return { ok: false, problem: toError(error).message };
  }
  return checkValues(question, content, (issues) => readTimes(json, content, issues));
}

function checkValues(
  question: AskedQuestion,
  content: JsonValue,
  readAgain?: (issues: readonly Issue[]) => JsonValue | undefined,
): AnswerVerdict | Promise<AnswerVerdict> {
  const { key, schema, json } = question;
  const says = saysSomething(json, content);
  // A schema takes its defaults unchecked. Those of a declared question were checked with it; these may be a model's draft.
  const whole = key === undefined && says ? withDefaults(json, content) : content;
  const verdict = (checked: Validation<unknown>): AnswerVerdict | Promise<AnswerVerdict> => {
    const again = checked.ok ? undefined : readAgain?.(checked.issues);
    if (again !== undefined) return checkValues(question, again);
    if (!checked.ok) return { ok: false, problem: checked.problem };
    if (!says && beganByItself(json, checked.value)) return { ok: false, problem: NOTHING_SAID };
    return {
      ok: true,
      value: { action: 'accept', content: checked.value },
      answer: { action: 'accept', content },
    };
  };
  const checked = validateNow(schema, whole);
  return checked instanceof Promise ? checked.then(verdict) : verdict(checked);
}

/** Some clients say yes to a form that they cannot draw: what nobody saw is nobody's answer. */
export const NOTHING_SAID = 'no field was answered, and default values alone are not an answer';

function saysSomething({ properties }: FormJsonSchema, content: JsonValue): boolean {
  return !isObject(content) || Object.keys(content).some((name) => Object.hasOwn(properties, name));
}

/** Whether a schema has made something of no answer: what it gives for a field that begins with something. */
function beganByItself({ properties }: FormJsonSchema, value: unknown): boolean {
  const begun = Object.entries(properties).filter(([, property]) => property.default !== undefined);
  return begun.length > 0 && !(isObject(value) && begun.every(([name]) => value[name] === undefined));
}

/** Content with what its form says of the fields that were left alone, and may be. */
function withDefaults({ properties, required = [] }: FormJsonSchema, content: JsonValue): JsonValue {
  if (!isObject(content)) return content;
  const begun = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined || Object.hasOwn(content, name) || required.includes(name) ? [] : [[name, value]],
  );
  return begun.length === 0 ? content : { ...content, ...Object.fromEntries(begun) };
}
