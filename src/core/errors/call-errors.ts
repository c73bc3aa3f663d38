import { defined } from '../schema/defined.ts';
import { defineError } from './define-error.ts';

/** What a client may lack. */
export type CapabilityName =
  | 'elicitation'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.tools'
  | 'roots'
  | 'editor'
  | 'editor.git'
  | 'editor.diagnostics'
  | 'editor.edits';

const CAPABILITY_WORDS: Readonly<Record<CapabilityName, string>> = {
  elicitation: 'ask the user a question (elicitation)',
  'elicitation.url': 'open a page for the user (elicitation.url)',
  sampling: 'ask a model (sampling)',
  'sampling.tools': 'ask a model with tools (sampling.tools)',
  roots: 'list its folders (roots)',
  editor: 'ask the user in an editor (editor)',
  'editor.git': 'give access to the git of an editor (editor.git)',
  'editor.diagnostics': 'give access to the problems of an editor (editor.diagnostics)',
  'editor.edits': 'give access to the files of an editor (editor.edits)',
};

/** No client of the call can do what the tool needs; thrown before any tool code for what it `requires`. */
export const McpCapabilityError = defineError(
  'CAPABILITY',
  'McpCapabilityError',
  // Code that a tool calls may not know the tool's name.
  ({ toolName, capability }: { toolName: string | undefined; capability: CapabilityName }) => ({
    message: `${toolName === undefined ? 'this tool' : `'${toolName}'`} needs a client that can ${CAPABILITY_WORDS[capability]}, and no client of this call can. Run it from a client that declares that capability, or in the editor.`,
    details: { ...defined({ toolName }), capability },
  }),
);

/**
 * A call, a branch or an ask took longer than its `timeout`, in milliseconds. Time with a person does not count. `what`
 * says what took too long: `the call`, `a branch`, `the sampling`.
 */
export const McpTimeoutError = defineError(
  'TIMEOUT',
  'McpTimeoutError',
  ({ what, timeout }: { what: string; timeout: number }) =>
    `${what} took longer than its limit of ${duration(timeout)}. Try again, or raise the limit.`,
);

/** The client that was answering has gone. */
export const McpDisconnectError = defineError(
  'DISCONNECTED',
  'McpDisconnectError',
  ({ client }: { client: string }) =>
    `${client} disconnected before it answered. Connect again and repeat the call.`,
);

/** Cleanup of a call that has ended, or what kept the context of a branch, tried to ask or to begin a step: nothing new opens then. */
export const CallEndedError = defineError(
  'CALL_ENDED',
  'CallEndedError',
  ({ verb }: { verb: string }) =>
    `the call or the branch has ended, so ${verb} cannot start. Cleanup can log and release resources, but cannot ask or begin a step.`,
);

/** The call was stopped from outside: by the person, its client or the end of its manager. `reason` is for people. */
export const CallAbortedError = defineError(
  'CALL_ABORTED',
  'CallAbortedError',
  ({ reason }: { reason: string }) => `the call was aborted: ${reason}`,
);

/** The user did not let a tool run that another one was to run for them. */
export const ToolNotApprovedError = defineError(
  'NOT_APPROVED',
  'ToolNotApprovedError',
  ({ toolName }: { toolName: string }) =>
    `The user did not allow '${toolName}' to run. Continue without it, or ask the user what they want instead.`,
);

/** A rule says that this call is not made. `why` says which, as a part of a sentence. */
export const CallDeniedError = defineError(
  'CALL_DENIED',
  'CallDeniedError',
  ({ toolName, why }: { toolName: string; why: string }) =>
    `'${toolName}' may not run: ${why}. Continue without it; calling it again changes nothing.`,
);

/** A tool called another by a name that its host does not know. */
export const ToolNotFoundError = defineError(
  'TOOL_NOT_FOUND',
  'ToolNotFoundError',
  ({ name, near }: { name: string; near?: string }) =>
    `there is no tool '${name}' to call here${near === undefined ? '.' : `: did you mean '${near}'?`} Check its name, and that its file is loaded or its server is connected.`,
);

/** A call of another server's tool was cut short with the process that made it: nobody knows what it did. */
export const CallInterruptedError = defineError(
  'CALL_INTERRUPTED',
  'CallInterruptedError',
  ({ toolName }: { toolName: string }) =>
    `'${toolName}' was still running when the process that called it ended, so its effects are unknown. Check what it did before you call it again.`,
);

/** Tools called each other more deeply than any of them means to. */
export const CallDepthError = defineError(
  'CALL_DEPTH',
  'CallDepthError',
  ({ path }: { path: readonly string[] }) =>
    `tools called each other ${path.length} deep (… ${path.slice(-3).join(' → ')}). Let one of them return instead.`,
);

/** A handler of a plugin threw, or answered with something that is no answer. */
export const HandlerError = defineError('HANDLER', 'HandlerError');

/** A view is unknown, or crashed while it was drawn. */
export const ViewError = defineError('VIEW', 'ViewError');

/** `1.5 s`, `3 min`, `250 ms`: as short as it reads well. */
function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`;
  return `${Math.round(milliseconds / 6000) / 10} min`;
}
