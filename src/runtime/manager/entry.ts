import type { UpTo } from '../call/again/taking-up.ts';
import type { Call } from '../call/call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { JournalStart } from '../journal/journaling-call.ts';
import type { SessionEvent } from '../session/events.ts';
import type { SessionStatus } from '../session/session.ts';
import type { SessionKey } from './manager.ts';

/** A call as its manager has it. */
export interface Entry {
  readonly call: Call;
  readonly principal: string;
  readonly retain: boolean;
  /** Its code is not yet where its journal left it: it asks less than it does there. */
  coming: boolean;
  status: SessionStatus;
  /** About how many bytes its parameters take up. */
  readonly given: number;
  /** What it keeps of what it was given, then of its result. */
  bytes: number;
}

/** What a call starts with. */
export interface Starting {
  readonly checked: Omit<CallOptions, 'id' | 'key' | 'principal' | 'journal'>;
  readonly journal: JournalStart;
  readonly options: { readonly retain?: boolean };
  readonly bytes: number;
  readonly up?: UpTo;
  readonly events?: readonly SessionEvent[];
}

/** What an entry is kept under. */
export function entryKey(name: SessionKey | string): string {
  const { principal = '', conversation = '', callId } = typeof name === 'string' ? { callId: name } : name;
  return JSON.stringify([principal, conversation, callId]);
}
