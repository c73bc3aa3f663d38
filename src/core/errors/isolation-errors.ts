import { ParleyError } from './errors.ts';

/** What is known of a tool that runs in a worker or a process of its own. */
export interface IsolatedTool {
  readonly toolName: string;
  /** The author's file. */
  readonly file: string;
}

/** The code of a tool no longer gave anybody else a turn, and its worker was ended. */
export class ToolStuckError extends ParleyError {
  /** @param silence is how long nothing came from the worker, in milliseconds. */
  constructor({ toolName, file }: IsolatedTool, silence: number, options?: ErrorOptions) {
    super(
      'TOOL_STUCK',
      `'${toolName}' was ended: its code has not paused for ${Math.round(silence / 1000)} s. Look for an endless loop in ${file}, or let long work pause now and then. The next call starts afresh.`,
      { ...options, details: { toolName, file, silence } },
    );
  }
}

/** The worker or process of a tool has ended while a call was running. */
export class ToolCrashedError extends ParleyError {
  /** @param how says what ended it: `it called process.exit(1)`. */
  constructor({ toolName, file }: IsolatedTool, how: string, options?: ErrorOptions) {
    super('TOOL_CRASHED', `'${toolName}' was ended: ${how}. Look in ${file}. The next call starts afresh.`, {
      ...options,
      details: { toolName, file },
    });
  }
}
