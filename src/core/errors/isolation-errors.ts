import { defineError } from './define-error.ts';

/** What is known of a tool that runs in a worker or a process of its own. */
export interface IsolatedTool {
  readonly toolName: string;
  /** The author's file. */
  readonly file: string;
}

/** The code of a tool no longer gave anybody else a turn for `silence` milliseconds, and its worker was ended. */
export const ToolStuckError = defineError(
  'TOOL_STUCK',
  'ToolStuckError',
  ({ toolName, file, silence }: IsolatedTool & { silence: number }) => ({
    message: `'${toolName}' was ended: its code did not pause for ${Math.round(silence / 1000)} s. Look for an endless loop in ${file}, or let long work pause now and then. The next call reloads it.`,
    details: { toolName, file, silence },
  }),
);

/** The worker or process of a tool has ended while a call was running; `how` says what ended it. */
export const ToolCrashedError = defineError(
  'TOOL_CRASHED',
  'ToolCrashedError',
  ({ toolName, file, how }: IsolatedTool & { how: string }) => ({
    message: `'${toolName}' was ended: ${how}. Look in ${file}. The next call reloads it.`,
    details: { toolName, file },
  }),
);
