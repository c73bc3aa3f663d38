import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { callInfo } from '../../../panel-port/index.ts';
import type { CallSummary, NewCall } from '../../../runtime/journal/call-store.ts';
import { COMMON_VERSION } from '../../../runtime/journal/lines.ts';
import { isEnd, type SessionEvent } from '../../../runtime/session/events.ts';
import { ifJson } from '../../log/if-json.ts';

/** What happened in a call: a session says it, and so does what is kept of one. */
export interface CallRecord {
  readonly id: string;
  readonly principal: string;
  readonly toolName: string;
  readonly params: unknown;
  readonly startedAt: number;
  events(): readonly SessionEvent[];
}

/** What a list says of a call that is over. Its title, its asker and so on are those of then. */
export const keptCall = z.object({
  ...callInfo.shape,
  startedAt: z.number(),
  endedAt: z.number(),
  principal: z.string(),
  /** Milliseconds of it that waited for the person. */
  waited: z.number(),
  /** Its parameters, in a line, without secrets. */
  given: z.optional(z.string()),
});

/** What a list says of a call that is over. */
export type KeptCall = z.infer<typeof keptCall>;

/** What is noted of a call while it lasts, for windows to come. */
export const ongoingNote = z.object({
  ...callInfo.shape,
  startedAt: z.number(),
  principal: z.string(),
  /** Keys of questions that its plugin has a handler for. */
  handled: z.array(z.string()),
  /** Whether it goes on by replay: its tool is durable, or only reads. */
  goesOn: z.enum(['durable', 'reads', 'no']),
  /** Which of the windows on its folder it is in. */
  window: z.optional(z.number()),
});

/** What is noted of a call while it lasts, for windows to come. */
export type OngoingNote = z.infer<typeof ongoingNote>;

/** A call as a store keeps it: what it was made with where journals have it, the rest beside it. */
export function encodeCall(call: KeptCall, params: unknown, parley: string): NewCall {
  const { callId, principal, toolName, startedAt } = call;
  const header = { v: COMMON_VERSION, parley, tool: toolName, callId, principal, conversation: '' };
  return {
    name: { principal, conversation: '', callId },
    header: { ...header, ...paramsOf(params), began: startedAt },
    notes: { kept: ifJson(call) ?? {} },
    ended: true,
  };
}

/** What a list of a store says; nothing for a call that another program, or another version of Parley, keeps there. */
export function decodeCall({ notes }: Pick<CallSummary, 'notes'>): KeptCall | undefined {
  const parsed = keptCall.safeParse(notes.kept);
  return parsed.success ? parsed.data : undefined;
}

/** What was noted of a call that has not ended; nothing for one that another program keeps there. */
export function decodeOngoing({ notes }: Pick<CallSummary, 'notes'>): OngoingNote | undefined {
  const parsed = ongoingNote.safeParse(notes.ongoing);
  return parsed.success ? parsed.data : undefined;
}

/** What the call was called with. */
export function decodeParams(header: JsonValue): JsonObject {
  const params = isObject(header) ? header.params : undefined;
  return isObject(params) ? params : {};
}

/** Of a call whose end was too long to be kept, or whose window ended while it was written. */
const CUT_OFF = 'the rest of this call was not kept';

/** Events as they were kept, with an end in any case. They are sealed: what is there, we wrote. */
export function decodeEvents(
  events: readonly JsonValue[],
  { status, endedAt: time }: Pick<KeptCall, 'status' | 'endedAt'>,
): readonly SessionEvent[] {
  const read = readEvents(events);
  const last = read.at(-1);
  if (last && isEnd(last)) return read;
  const at = (last?.at ?? 0) + 1;
  if (status === 'completed') return [...read, { at, time, type: 'result', value: undefined, notKept: true }];
  if (status === 'failed')
    return [...read, { at, time, type: 'error', error: { name: 'Error', message: CUT_OFF } }];
  return [...read, { at, time, type: 'aborted', reason: CUT_OFF }];
}

/** Events as they were kept, without what is none. */
export function readEvents(events: readonly JsonValue[]): readonly SessionEvent[] {
  return events.filter((event) => isEvent(event));
}

function paramsOf(params: unknown): { readonly params?: JsonValue } {
  const json = ifJson(params);
  return json === undefined ? {} : { params: json };
}

function isEvent(value: unknown): value is SessionEvent {
  return isObject(value) && typeof value.type === 'string' && typeof value.time === 'number';
}
