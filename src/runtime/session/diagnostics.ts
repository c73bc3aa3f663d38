import { createContext } from 'effection';

/** Something that went wrong beside a call: it harms nobody, and somebody should know. */
export interface Diagnostic {
  /** The callId, where there is a call. */
  readonly callId?: string;
  readonly toolName?: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** Where diagnostics go. */
export type Diagnose = (diagnostic: Diagnostic) => void;

/** Receives diagnostics: failing observers, stuck cleanups, failing listeners. The console, unless a host has better. */
export const DiagnosticsContext = createContext<Diagnose>(
  'parley.diagnostics',
  ({ callId, message, cause }) => {
    const where = callId === undefined ? '' : ` [${callId}]`;
    console.warn(`parley${where}: ${message}`, ...(cause === undefined ? [] : [cause]));
  },
);
