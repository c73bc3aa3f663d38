import * as z from 'zod/mini';
import { readPageAddress } from '../../../core/page/page-address.ts';
import type { SampleAskRequest } from '../../../core/tool/ask.ts';
import { LOG_LEVELS, type Progress } from '../../../core/tool/context.ts';
import { formJsonSchema } from '../../../panel-port/index.ts';
import type { Said } from '../../../runtime/journal/said.ts';
import type { ToolReport } from '../../../runtime/session/events.ts';
import { messages } from '../message-schemas.ts';
import { toolData } from '../tool-data.ts';
import {
  anyJson,
  asItCame,
  errorDataSchema,
  jsonObject,
  nothing,
  serial,
  stepOutcome,
} from './shared-schemas.ts';

const file = z.string();
const amount = z.optional(z.number());

const sampleRequest = asItCame<SampleAskRequest>(z.looseObject({ messages, maxTokens: z.number() }));

const subject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('elicit'),
    declared: z.boolean(),
    person: z.optional(z.literal(true)),
    request: z.union([
      z.object({
        mode: z.literal('url'),
        message: z.string(),
        // Whoever is asked is sent there: a realm that is not ours does not say where.
        url: z.string().check(z.refine((url) => readPageAddress(url).ok)),
        elicitationId: z.optional(z.string()),
      }),
      z.object({
        message: z.string(),
        requestedSchema: formJsonSchema,
        context: z.optional(jsonObject),
      }),
    ]),
  }),
  z.object({ kind: z.literal('sample'), request: sampleRequest }),
  z.object({ kind: z.literal('roots'), request: z.object({}) }),
]);

/** What the author's code said, where Parley made something else of it. */
const said = asItCame<Said>(
  z.object({ words: z.union([z.string(), messages]), about: z.optional(z.nullable(anyJson)) }),
);

const view = z.object({
  reference: z.object({ kind: z.literal('parley.view'), key: z.string(), name: z.string() }),
  props: jsonObject,
});

const report = asItCame<ToolReport>(
  z.discriminatedUnion('type', [
    z.strictObject({
      ...{ type: z.literal('log'), level: z.enum(LOG_LEVELS), message: z.string() },
      ...{ data: z.optional(anyJson), depth: serial },
    }),
    z.strictObject({
      ...{ type: z.literal('progress'), message: z.string() },
      ...{ value: amount, total: amount, depth: serial },
    }),
    z.strictObject({ type: z.literal('page_completed'), id: z.string(), elicitationId: z.string() }),
  ]),
);

/** What the realm with the session does for the one with the tool. */
export const sessionMethods = {
  /** Within a load: the next file is about to be run, and whatever happens from here is its doing. */
  loading: { params: z.object({ file }) },
  /** `others`: whether it exports more than tools. `unended`: builders that it exports, by the names of their exports. */
  loaded: {
    params: z.object({
      file,
      tools: z.array(toolData),
      others: z.boolean(),
      unended: z.record(
        z.string(),
        z.object({ kind: z.literal('parley.builder'), of: z.string(), end: z.string() }),
      ),
    }),
  },
  threw: { params: z.object({ file, error: errorDataSchema }) },
  /** Within a call: opens an ask, and waits for what comes of it. */
  ask: {
    params: z.object({ key: z.optional(z.string()), depth: serial, subject, said: z.optional(said) }),
    result: z.object({ id: z.string(), answer: anyJson }),
  },
  /** Opens a step, and gives what it came to once that is durable. */
  step: {
    params: z.object({ name: z.string(), depth: serial, reads: z.boolean(), undo: z.boolean() }),
    result: z.object({ id: z.string(), outcome: stepOutcome }),
  },
  /** Sleeps until a time of day, which a replay keeps. */
  sleep: { params: z.object({ milliseconds: z.number(), depth: serial }), result: nothing },
  /** Writes down what `before` handed on. */
  keepHandoff: { params: z.object({ value: z.optional(anyJson) }), result: nothing },
  /** Runs a tool that this one calls by name. */
  callTool: {
    params: z.object({ name: z.string(), params: z.optional(anyJson), depth: serial }),
    result: z.optional(anyJson),
  },
  /** Says something in the log of the call. */
  report: { params: report },
  /** Has caught up with all that came before. */
  sync: { params: nothing, result: nothing },
  /** Does what only the editor's realm can do. */
  borrow: {
    params: z.object({ what: z.string(), args: z.array(z.nullable(anyJson)) }),
    result: z.optional(anyJson),
  },
  /** Within a handler: draws a view, and waits for its answer. */
  render: { params: view, result: z.optional(anyJson) },
  show: { params: view, result: nothing },
  busy: {
    params: z.object({
      message: z.string(),
      progress: z.optional(
        asItCame<Progress>(z.union([z.number(), z.strictObject({ value: z.number(), total: amount })])),
      ),
    }),
    result: nothing,
  },
  /** Something went wrong beside all calls. */
  diagnostic: { params: z.object({ message: z.string(), error: z.optional(errorDataSchema) }) },
};

/** What the realm with the session does for the one with the tool. */
export type SessionMethods = typeof sessionMethods;
