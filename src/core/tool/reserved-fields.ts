/** Names of the fields that every request to a handler has, and of the options beside a question's context. */
const RESERVED = [
  'message',
  'mode',
  'schema',
  'id',
  'askId',
  'key',
  'toolName',
  'callId',
  'seq',
  'params',
  'handoff',
  'attempt',
  'problem',
  'values',
  'maxAttempts',
  'onDecline',
] as const;

/** A name that no context field may have. */
export type ReservedContextField = (typeof RESERVED)[number];

const names: ReadonlySet<string> = new Set(RESERVED);

/** Whether no context field may have this name: every request to a handler has a field that is called so. */
export function isReservedContextField(name: string): name is ReservedContextField {
  return names.has(name);
}
