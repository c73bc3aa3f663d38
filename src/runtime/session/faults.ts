import { callContext } from '../../core/world/call-context.ts';

/** Something that went wrong beside a call: it harms nobody, and somebody should know. */
export interface Fault {
  /** The callId, where there is a call. */
  readonly callId?: string;
  readonly toolName?: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** Where faults go. */
export type ReportFault = (diagnostic: Fault) => void;

/** Receives faults: failing observers, stuck cleanups, failing listeners. The console, unless a host has better. */
export const FaultsContext = callContext<ReportFault>('parley.faults', ({ callId, message, cause }) => {
  const where = callId === undefined ? '' : ` [${callId}]`;
  console.warn(`parley${where}: ${message}`, ...(cause === undefined ? [] : [cause]));
});
