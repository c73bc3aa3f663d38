import * as z from 'zod/mini';
import type { ElicitAsk } from '../../../runtime/session/ask.ts';
import type { MethodParams } from '../contract.ts';
import { messages } from '../message-schemas.ts';
import {
  anyJson,
  capabilities,
  elicitAnswer,
  issue,
  jsonObject,
  nothing,
  serial,
  stepOutcome,
} from './shared-schemas.ts';

/** Code that a realm may run. */
const builtModule = z.object({
  name: z.string(),
  code: z.string(),
  map: z.string(),
  version: z.string(),
  source: z.optional(z.string()),
});

/** What the editor lends to a call. */
const abilities = z.array(z.string());

/** Whether the call is being taken to where it was. */
const replays = z.boolean();

/** What the realm with the tool does for the one with the session. */
export const realmMethods = {
  /** Loads these files, one after the other, and says within it what they hold. */
  load: {
    params: z.object({
      folder: z.string(),
      outDir: z.string(),
      modules: z.array(builtModule),
      entries: z.array(z.object({ file: z.string(), name: z.string() })),
      lent: z.array(z.string()),
    }),
    result: nothing,
  },
  /** Parses the parameters of a tool, and keeps them for a call. */
  parse: {
    params: z.object({ parse: serial, tool: serial, value: z.optional(anyJson) }),
    result: z.object({ value: z.optional(anyJson), issues: z.optional(z.array(issue)) }),
  },
  /** Runs a tool. Cancelled, it runs the cleanup. */
  run: {
    params: z.object({
      tool: serial,
      /** Names parameters that were parsed before; `params` stands in where they are gone. */
      parse: serial,
      params: z.optional(anyJson),
      callId: z.string(),
      toolName: z.string(),
      madeBy: z.object({
        client: z.exactOptional(z.object({ name: z.string(), version: z.string() })),
        principal: z.exactOptional(z.string()),
      }),
      capabilities: z.optional(capabilities),
      maxDepth: z.optional(z.number()),
      maxTokens: z.optional(z.number()),
      messages,
      parentMessages: messages,
      abilities,
      replays,
      /** What `before` handed on when the call was made. */
      handoff: z.optional(z.object({ value: z.optional(anyJson) })),
    }),
    result: z.optional(anyJson),
  },
  /** Within a call: who is attached has changed, or its journal is used up. */
  capabilities: { params: z.object({ capabilities: z.optional(capabilities), replays }) },
  /** Takes back a step of a call whose code was halted. */
  undo: {
    params: z.object({ callId: z.string(), id: z.string(), result: z.optional(anyJson), abilities }),
    result: nothing,
  },
  /** Within a step: it is its turn. Gives what its code comes to. */
  turn: { params: z.object({ id: z.string(), attempt: serial }), result: stepOutcome },
  /** Within a loan that lasts until it is cancelled: it is there. */
  lent: { params: nothing },
  /** Within an ask: checks the content of an accepted answer with the original schema. */
  check: { params: z.object({ content: anyJson }), result: z.object({ problem: z.optional(z.string()) }) },
  /** Within an ask: the clocks above it stand still, or go on. */
  pause: { params: z.object({ paused: z.boolean() }) },
  /** Within an ask: runs the plugin's handler for the question as it stands. */
  handle: {
    params: z.object({ elicit: z.custom<ElicitAsk>((value) => jsonObject.safeParse(value).success) }),
    result: elicitAnswer,
  },
  /** Gives a sign of life, when all has happened that follows from what it was told. */
  ping: { params: nothing, result: nothing },
};

/** What the realm with the tool does for the one with the session. */
export type RealmMethods = typeof realmMethods;

/** The files to load, with their code. */
export type LoadParams = MethodParams<RealmMethods, 'load'>;

/** What the tool's realm is told of a call that begins there. */
export type CallStart = MethodParams<RealmMethods, 'run'>;
