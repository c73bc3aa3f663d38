import * as z from 'zod/mini';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { capabilities, errorData, json, jsonObject, serial } from './shared-schemas.ts';

/** Code that a realm may run. */
const builtModule = z.object({
  name: z.string(),
  code: z.string(),
  map: z.string(),
  version: z.string(),
  source: z.optional(z.string()),
});

/** What the realm with the session tells the one with the tool. */
export const order = z.discriminatedUnion('type', [
  /** Load these files, one after the other. */
  z.object({
    type: z.literal('load'),
    folder: z.string(),
    outDir: z.string(),
    modules: z.array(builtModule),
    entries: z.array(z.object({ file: z.string(), name: z.string() })),
    lent: z.array(z.string()),
  }),
  /** Parse the parameters of a tool, and keep them for a call. */
  z.object({ type: z.literal('parse'), parse: serial, tool: serial, value: z.optional(json) }),
  z.object({
    type: z.literal('start'),
    call: serial,
    tool: serial,
    /** Names parameters that were parsed before; `params` stands in where they are gone. */
    parse: serial,
    params: z.optional(json),
    callId: z.string(),
    toolName: z.string(),
    capabilities: z.optional(capabilities),
    maxDepth: z.optional(z.number()),
    maxTokens: z.optional(z.number()),
    messages: z.array(jsonObject),
    parentMessages: z.array(jsonObject),
    /** What the editor lends to this call. */
    abilities: z.array(z.string()),
  }),
  /** Who is attached has changed. */
  z.object({ type: z.literal('capabilities'), call: serial, capabilities: z.optional(capabilities) }),
  /** End the call: run its cleanup. */
  z.object({ type: z.literal('halt'), call: serial }),
  /** Reports up to here have arrived. */
  z.object({ type: z.literal('synced'), call: serial }),
  /** Check the content of an accepted answer with the original schema. */
  z.object({ type: z.literal('check'), call: serial, ask: serial, check: serial, content: json }),
  z.object({ type: z.literal('settle'), call: serial, ask: serial, id: z.string(), answer: json }),
  z.object({ type: z.literal('fail'), call: serial, ask: serial, error: errorData }),
  /** The clocks above an ask stand still, or go on. */
  z.object({ type: z.literal('pause'), call: serial, ask: serial, paused: z.boolean() }),
  /** Run the plugin's handler for an open question. */
  z.object({
    type: z.literal('handle'),
    call: serial,
    ask: serial,
    handling: serial,
    elicit: jsonObject as unknown as z.ZodMiniType<ElicitAsk>,
  }),
  z.object({ type: z.literal('unhandle'), handling: serial }),
  z.object({
    type: z.literal('viewAnswered'),
    handling: serial,
    view: serial,
    value: z.optional(json),
  }),
  z.object({ type: z.literal('viewFailed'), handling: serial, view: serial, error: errorData }),
  /** What an ability of the editor gave. */
  z.object({ type: z.literal('lent'), call: serial, loan: serial, value: z.optional(json) }),
  z.object({ type: z.literal('refused'), call: serial, loan: serial, error: errorData }),
  z.object({ type: z.literal('ping') }),
]);

/** One order. */
export type Order = z.infer<typeof order>;

/** The orders of one type. */
export type OrderOf<T extends Order['type']> = Extract<Order, { type: T }>;
