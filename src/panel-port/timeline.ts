import * as z from 'zod/mini';
import { formJsonSchema } from '../core/form/form-schema.ts';
import { LOG_LEVELS } from '../core/tool/context.ts';
import { count, ordinal } from './count.ts';
import { jsonObject, jsonValue } from './json.ts';

/** The page shows this many rows and drops the oldest beyond it. */
export const MAX_ROWS = 500;

const ANSWERED = ['accept', 'decline', 'cancel', 'reply'] as const;

/** Whether the person answered, one way or the other. */
export function isAnsweredState(state: string): state is (typeof ANSWERED)[number] {
  return ANSWERED.some((one) => one === state);
}

const place = {
  /** Rises through the call. A row that comes again with the same index replaces the earlier one. */
  index: count,
  /** Epoch milliseconds. */
  time: z.number(),
  /** 0 for the tool itself, more inside branches. */
  depth: z.optional(count),
};

/** One thing that happened. */
export const timelineRow = z.discriminatedUnion('type', [
  z.object({ ...place, type: z.literal('started'), params: z.optional(jsonObject) }),
  z.object({
    ...place,
    type: z.literal('log'),
    level: z.enum(LOG_LEVELS),
    message: z.string(),
    data: z.optional(jsonValue),
  }),
  z.object({
    ...place,
    type: z.literal('progress'),
    message: z.optional(z.string()),
    /** With `total`: so many of so many. Without: a fraction from 0 to 1. Absent: nobody knows how far. */
    value: z.optional(z.number()),
    total: z.optional(z.number()),
    /** Progress that is over and will not be updated again. */
    done: z.optional(z.boolean()),
  }),
  z.object({
    ...place,
    type: z.literal('sampling'),
    /** `consent`: the editor asks the person whether the model may be used. */
    state: z.enum(['open', 'consent', 'answered', 'failed', 'withdrawn']),
    model: z.optional(z.string()),
    prompt: z.optional(z.string()),
    text: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
  z.object({
    ...place,
    type: z.literal('question'),
    id: z.string(),
    number: ordinal,
    message: z.string(),
    /** `taken_back`: the person went back to it or to one before; its answer does not count any more. */
    state: z.enum(['open', ...ANSWERED, 'withdrawn', 'failed', 'taken_back']),
    /** When it was answered, or closed otherwise. Epoch milliseconds. */
    closedAt: z.optional(z.number()),
    /** Its answer was kept from the call that began then: nobody was asked. */
    kept: z.optional(z.number()),
    /** The answer, and the schema that gives its fields their titles. */
    content: z.optional(jsonObject),
    schema: z.optional(formJsonSchema),
    error: z.optional(z.string()),
  }),
  z.object({ ...place, type: z.literal('gap'), dropped: ordinal }),
  z.object({
    ...place,
    type: z.literal('ended'),
    how: z.enum(['completed', 'failed', 'aborted']),
    message: z.optional(z.string()),
  }),
]);

/** One thing that happened. */
export type TimelineRow = z.infer<typeof timelineRow>;
/** The row of one type. */
export type RowOf<Type extends TimelineRow['type']> = Extract<TimelineRow, { type: Type }>;

/** `rows` with `changes` laid over them by index, in order of index, at most {@link MAX_ROWS}. */
export function mergeRows(rows: readonly TimelineRow[], changes: readonly TimelineRow[]): TimelineRow[] {
  const last = rows.at(-1)?.index ?? -1;
  const grows = changes.every((row, at) => row.index > (changes[at - 1]?.index ?? last));
  const merged = grows
    ? [...rows, ...changes]
    : [...new Map([...rows, ...changes].map((row) => [row.index, row])).values()].sort(
        (a, b) => a.index - b.index,
      );
  return merged.length > MAX_ROWS ? merged.slice(-MAX_ROWS) : merged;
}
