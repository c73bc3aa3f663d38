import * as z from 'zod/mini';
import type { ElicitAnswer, SampleAskRequest } from '../../core/tool/ask.ts';
import { LOG_LEVELS } from '../../core/tool/context.ts';
import { formJsonSchema } from '../../panel-port/index.ts';
import { errorData, json, jsonObject, serial } from './shared-schemas.ts';
import { toolData } from './tool-data.ts';

const call = serial;
const amount = z.optional(z.number());

const elicitAnswer = z.union([
  z.object({ action: z.literal('accept'), content: json }),
  z.object({ action: z.enum(['decline', 'cancel']) }),
]) as unknown as z.ZodMiniType<ElicitAnswer<unknown>>;

const sampleFields = z.looseObject({ messages: z.array(jsonObject), maxTokens: z.number() });

/** Left as it came: a schema of an object would put its fields into another order, and a wire would show which realm it was. */
const sampleRequest = z.custom<SampleAskRequest>(
  (value) => sampleFields.safeParse(value).success,
  'must be a request for the model',
);

const subject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('elicit'),
    declared: z.boolean(),
    request: z.object({
      message: z.string(),
      requestedSchema: formJsonSchema,
      context: z.optional(jsonObject),
    }),
  }),
  z.object({
    kind: z.literal('sample'),
    request: sampleRequest,
  }),
  z.object({ kind: z.literal('roots'), request: z.object({}) }),
]);

const issue = z.object({
  message: z.string(),
  path: z.optional(z.array(z.union([z.string(), z.number()]))),
});

/** What the realm with the tool tells the one with the session. */
export const report = z.discriminatedUnion('type', [
  /** The next file is about to be run: whatever happens from here is its doing. */
  z.object({ type: z.literal('loading'), file: z.string() }),
  z.object({
    type: z.literal('loaded'),
    file: z.string(),
    tools: z.array(toolData),
    /** Whether it exports more than tools. */
    others: z.boolean(),
  }),
  z.object({ type: z.literal('threw'), file: z.string(), error: errorData }),
  /** All files are loaded. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('parsed'), parse: serial, value: z.optional(json) }),
  z.object({ type: z.literal('unfit'), parse: serial, issues: z.array(issue) }),
  z.object({
    type: z.literal('open'),
    call,
    ask: serial,
    key: z.optional(z.string()),
    depth: serial,
    subject,
  }),
  z.object({ type: z.literal('withdraw'), call, ask: serial }),
  z.object({
    type: z.literal('verdict'),
    call,
    ask: serial,
    check: serial,
    problem: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('log'),
    call,
    level: z.enum(LOG_LEVELS),
    message: z.string(),
    data: z.optional(json),
    depth: serial,
  }),
  z.object({
    type: z.literal('progress'),
    call,
    message: z.string(),
    value: amount,
    total: amount,
    depth: serial,
  }),
  /** Waits for `synced` before it reports more. */
  z.object({ type: z.literal('sync'), call }),
  z.object({ type: z.literal('result'), call, value: z.optional(json) }),
  z.object({ type: z.literal('error'), call, error: errorData }),
  /** The code of a halted call has come to rest. */
  z.object({ type: z.literal('rested'), call }),
  z.object({
    type: z.literal('render'),
    handling: serial,
    view: serial,
    reference: z.object({ kind: z.literal('parley.view'), key: z.string(), name: z.string() }),
    props: jsonObject,
    /** Whether the handler waits for the view's answer. */
    waits: z.boolean(),
  }),
  z.object({ type: z.literal('unrender'), handling: serial, view: serial }),
  z.object({
    type: z.literal('busy'),
    handling: serial,
    message: z.string(),
    progress: z.optional(z.union([z.number(), z.object({ value: z.number(), total: amount })])),
  }),
  z.object({ type: z.literal('handled'), handling: serial, answer: elicitAnswer }),
  z.object({ type: z.literal('unhandled'), handling: serial, error: errorData }),
  /** Asks for something that only the editor's realm can do. */
  z.object({
    type: z.literal('borrow'),
    call,
    loan: serial,
    what: z.string(),
    args: z.array(z.nullable(json)),
  }),
  /** What was borrowed may end. */
  z.object({ type: z.literal('giveBack'), call, loan: serial }),
  z.object({
    type: z.literal('diagnostic'),
    call: z.optional(call),
    message: z.string(),
    error: z.optional(errorData),
  }),
  z.object({ type: z.literal('pong') }),
]);

/** One report. */
export type Report = z.infer<typeof report>;

/** The reports of one type. */
export type ReportOf<T extends Report['type']> = Extract<Report, { type: T }>;
