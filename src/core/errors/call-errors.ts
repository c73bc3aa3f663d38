import { ParleyError, type ParleyErrorOptions } from './errors.ts';

/** What a client may lack. */
export type CapabilityName =
  | 'elicitation'
  | 'sampling'
  | 'sampling.tools'
  | 'roots'
  | 'editor.git'
  | 'editor.diagnostics'
  | 'editor.edits';

const CAPABILITY_WORDS: Readonly<Record<CapabilityName, string>> = {
  elicitation: 'ask the user a question (elicitation)',
  sampling: 'ask a model (sampling)',
  'sampling.tools': 'ask a model with tools (sampling.tools)',
  roots: 'tell its folders (roots)',
  'editor.git': 'lend the git of an editor (editor.git)',
  'editor.diagnostics': 'lend the problems of an editor (editor.diagnostics)',
  'editor.edits': 'lend the files of an editor (editor.edits)',
};

/** No client of the call can do what the tool needs; thrown before any tool code for what it `requires`. */
export class McpCapabilityError extends ParleyError {
  /** @param toolName may be unknown to code that a tool calls. */
  constructor(toolName: string | undefined, capability: CapabilityName, options?: ErrorOptions) {
    super(
      'CAPABILITY',
      `${toolName === undefined ? 'this tool' : `'${toolName}'`} needs a client that can ${CAPABILITY_WORDS[capability]}, and none of this call can. Run it from a client that declares that capability, or in the editor.`,
      { ...options, details: { ...(toolName === undefined ? {} : { toolName }), capability } },
    );
  }

  get capability(): CapabilityName {
    return this.details?.capability as CapabilityName;
  }
}

/** A call, a branch or an ask took longer than it may. Time with a person does not count. */
export class McpTimeoutError extends ParleyError {
  /**
   * @param what is what took too long: `the call`, `a branch`, `the sampling`.
   * @param timeout is its limit in milliseconds.
   */
  constructor(what: string, timeout: number, options?: ErrorOptions) {
    super(
      'TIMEOUT',
      `${what} took longer than its limit of ${duration(timeout)}. Try again, or raise the limit.`,
      { ...options, details: { what, timeout } },
    );
  }

  /** The limit, in milliseconds. */
  get timeout(): number {
    return Number(this.details?.timeout);
  }
}

/** The client that was answering has gone. */
export class McpDisconnectError extends ParleyError {
  constructor(client: string, options?: ErrorOptions) {
    super(
      'DISCONNECTED',
      `${client} disconnected before it answered. Connect again and repeat the call.`,
      options,
    );
  }
}

/** Cleanup of a call that has ended tried to ask: nothing new opens then. */
export class CallEndedError extends ParleyError {
  constructor(verb: string, options?: ErrorOptions) {
    super(
      'CALL_ENDED',
      `the call has ended, so ${verb} opens nothing any more. Cleanup may log and release things, but not ask.`,
      { ...options, details: { verb } },
    );
  }
}

/** The call was aborted. */
export class CallAbortedError extends ParleyError {
  constructor(reason: string, options?: ErrorOptions) {
    super('CALL_ABORTED', `the call was aborted: ${reason}`, { ...options, details: { reason } });
  }

  get reason(): string {
    return String(this.details?.reason);
  }
}

/** A handler of a plugin threw, or answered with something that is no answer. */
export class HandlerError extends ParleyError {
  constructor(message: string, options?: ParleyErrorOptions) {
    super('HANDLER', message, options);
  }
}

/** A view is unknown, or crashed while it was drawn. */
export class ViewError extends ParleyError {
  constructor(message: string, options?: ParleyErrorOptions) {
    super('VIEW', message, options);
  }
}

/** `1.5 s`, `3 min`, `250 ms`: as short as it reads well. */
function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`;
  return `${Math.round(milliseconds / 6000) / 10} min`;
}
