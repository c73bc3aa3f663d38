import * as z from 'zod';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { CallName } from '../../../runtime/journal/call-store.ts';
import { asJson } from '../../wire/as-json.ts';

/** What another process needs to know of a client, to be its server: what it said when it came. */
const sessionRecord = z.object({
  session: z.object({
    protocolVersion: z.string(),
    capabilities: z.record(z.string(), z.unknown()),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
});

/** What a client said when it came. */
export type SessionFacts = z.infer<typeof sessionRecord>['session'];

const callNote = z.object({
  /** The request that the call answers. */
  request: z.object({
    id: z.union([z.string(), z.number()]),
    method: z.string(),
    params: z.record(z.string(), z.unknown()),
  }),
  /** The stream that its client reads, and where each question stands in it: a client that has read it is not sent it again. */
  stream: z.int(),
  asked: z.record(z.string(), z.number()),
  /** What the request was answered with: the response may be lost. */
  result: z.record(z.string(), z.unknown()).optional(),
});

/** What a store keeps of a call for the client that made it, beside its journal. */
export type CallNote = z.infer<typeof callNote>;

/** Where the record of a session is kept: beside its calls, as a call that has ended, so that it gives way first. */
export function recordOf(principal: string, conversation: string): CallName {
  return { principal, conversation, callId: 'session' };
}

/** How a record is kept. */
export function recorded(session: SessionFacts): JsonObject {
  return { session: asJson(session) };
}

/** The record in a header; `undefined` for what is none. */
export function recordIn(header: unknown): SessionFacts | undefined {
  const parsed = sessionRecord.safeParse(header);
  return parsed.success ? parsed.data.session : undefined;
}

/** How the note of a call is kept. */
export function noted(note: CallNote): JsonObject {
  return { mcp2025: asJson(note) };
}

/** The note of a call; `undefined` for calls of other clients. */
export function noteIn({ mcp2025 }: JsonObject): CallNote | undefined {
  const parsed = callNote.safeParse(mcp2025);
  return parsed.success ? parsed.data : undefined;
}

/** The id of a request to a client. It says which question it is, so it is the same in whatever process asks it again. */
export function questionId(
  callId: string,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): string {
  return `${callId}/${id}${attempt > 1 ? `#${attempt}` : ''}`;
}

/** The call of such an id. */
export function callOf(question: string): string {
  return question.slice(0, question.lastIndexOf('/'));
}
