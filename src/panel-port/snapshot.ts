import * as z from 'zod/mini';
import { count, ordinal } from './count.ts';
import { jsonObject, jsonValue } from './json.ts';
import { question, renderedView } from './question.ts';
import { mergeRows, timelineRow } from './timeline.ts';
import { tracePart } from './trace.ts';

/** Where a call stands, as the panel says it. */
export const callStatus = z.enum(['preparing', 'running', 'waiting', 'completed', 'failed', 'aborted']);

/** The call that a panel is about. */
export const callInfo = z.object({
  callId: z.string(),
  toolName: z.string(),
  /** What a person calls the tool; the name where it has no title. */
  title: z.string(),
  /** What the tool does, in a sentence for people. */
  summary: z.optional(z.string()),
  /** What models are told of it. */
  description: z.optional(z.string()),
  /** A codicon's name, or the text of an SVG image. */
  icon: z.optional(z.string()),
  /** The MCP server whose tool it is, by the name that the person knows it by; absent for tools of ours. */
  server: z.optional(z.string()),
  /** Who asked for it, unless it was the person: their name, a codicon, and what they say they are. */
  asker: z.optional(z.object({ name: z.string(), icon: z.string(), says: z.optional(z.string()) })),
  status: callStatus,
  /** It is done, and the last that the person said was no: then nothing is green. */
  refused: z.optional(z.literal(true)),
  /** Epoch milliseconds. */
  startedAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
});

/** Milliseconds so far; `since` (epoch milliseconds) while it is running on. */
export const timer = z.object({ total: z.number(), since: z.optional(z.number()) });

/** Machine time and human time of a call. `now` is the host's clock when it wrote this. */
export const clock = z.object({ now: z.number(), machine: timer, human: timer });

/** A button the host offers with an end: “Run again”, “Choose a model…”. Pressing it sends `action`. */
export const action = z.object({ id: z.string(), label: z.string(), primary: z.optional(z.boolean()) });

const ending = { actions: z.optional(z.array(action)) };

/** What takes the question's place. */
export const stage = z.discriminatedUnion('kind', [
  /** Run Tool… asks for the parameters; `schema` is any JSON Schema of an object. */
  z.object({
    kind: z.literal('parameters'),
    formId: z.string(),
    schema: jsonObject,
    /** What to fill in at first, over the schema's defaults. */
    values: z.optional(jsonObject),
    attempt: ordinal,
    problem: z.optional(z.string()),
    /** What the person should know before running it: an older version will run. */
    notice: z.optional(z.string()),
    /** It runs under the debugger. */
    debugged: z.optional(z.boolean()),
  }),
  z.object({ kind: z.literal('question'), question }),
  z.object({ kind: z.literal('running') }),
  z.object({
    kind: z.literal('result'),
    /** What the tool returned; `null` where it returned nothing. */
    value: jsonValue,
    /** MCP content blocks, where it returned those. */
    blocks: z.optional(z.array(jsonObject)),
    /** Of a call of an earlier window, of which this was not kept: there is no value to show. */
    notKept: z.optional(z.literal(true)),
    ...ending,
  }),
  z.object({
    kind: z.literal('error'),
    error: z.object({
      name: z.string(),
      code: z.optional(z.string()),
      message: z.string(),
      /** What the person can do about it. */
      hint: z.optional(z.string()),
      /** The error, and what caused it, and so on. */
      trace: z.optional(z.array(tracePart)),
    }),
    ...ending,
  }),
  z.object({ kind: z.literal('aborted'), reason: z.optional(z.string()), ...ending }),
]);

/** Why a call does not simply go on, or what else could be done with it: above its stage, with the buttons for that. */
export const pause = z.object({ message: z.string(), ...ending });

/** Everything above the timeline. */
export const head = z.object({
  call: callInfo,
  clock,
  stage,
  pause: z.optional(pause),
  /** A view that is shown without being waited for; seen while nothing else takes its place. */
  shown: z.optional(renderedView),
});

/** The whole page. Whatever a page shows can be drawn from this alone. */
export const snapshotBody = z.object({
  /** Rises with every post of a panel. */
  version: count,
  head,
  /** In order of index, the last {@link MAX_ROWS} of them. */
  rows: z.array(timelineRow),
});

/** A snapshot in terms of the one before, so that ten thousand logs do not cost ten thousand snapshots. */
export const patchBody = z.object({
  /** The version it applies to; a page that has another asks for a snapshot with `ready`. */
  from: count,
  version: count,
  head: z.optional(head),
  /** Rows to lay over the page's by index. */
  rows: z.optional(z.array(timelineRow)),
});

/** Where a call stands. */
export type CallStatus = z.infer<typeof callStatus>;
/** The call that a panel is about. */
export type CallInfo = z.infer<typeof callInfo>;
/** Milliseconds so far. */
export type Timer = z.infer<typeof timer>;
/** A button the host offers with an end. */
export type Action = z.infer<typeof action>;
/** What takes the question's place. */
export type Stage = z.infer<typeof stage>;
/** The stage of one kind. */
export type StageOf<Kind extends Stage['kind']> = Extract<Stage, { kind: Kind }>;
/** Why a call does not simply go on. */
export type Pause = z.infer<typeof pause>;
/** Everything above the timeline. */
export type Head = z.infer<typeof head>;
/** The whole page. */
export type Snapshot = z.infer<typeof snapshotBody>;
/** A change from one snapshot to the next. */
export type Patch = z.infer<typeof patchBody>;

/** The snapshot after `patch`, or `undefined` when the patch is not for this one: then ask for a whole one. */
export function applyPatch(snapshot: Snapshot, patch: Patch): Snapshot | undefined {
  if (patch.from !== snapshot.version) return undefined;
  return {
    version: patch.version,
    head: patch.head ?? snapshot.head,
    rows: patch.rows ? mergeRows(snapshot.rows, patch.rows) : snapshot.rows,
  };
}
