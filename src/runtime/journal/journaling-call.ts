import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { JournalHeader, JournalLine } from './lines.ts';
import type { RecordingCall } from './recorder.ts';
import type { JournalSink } from './sink.ts';

/** What the journal of a call needs of it. */
export interface JournalingCall extends RecordingCall {
  /** Milliseconds of machine time. */
  elapsed(): number;
  /** What the clients that are attached can do together. */
  attached(): ClientCapabilities | undefined;
}

/** What a journal begins with. */
export interface JournalStart {
  readonly header: JournalHeader;
  readonly sink?: JournalSink;
  /** What there is already, of a call that goes on. */
  readonly lines?: readonly JournalLine[];
}
