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
  'timeout',
  'person',
  'form',
  'replies',
] as const;

/** A name that no context field may have. */
export type ReservedContextField = (typeof RESERVED)[number];

const names: ReadonlySet<string> = new Set(RESERVED);

/** Whether no context field may have this name: every request to a handler has a field that is called so. */
export function isReservedContextField(name: string): name is ReservedContextField {
  return names.has(name);
}

const OPTIONS = ['values', 'message', 'maxAttempts', 'onDecline', 'timeout', 'person', 'form', 'replies'];

/** The option that a context field was meant to be, by its name: two letters of it are others, or in another order. */
export function optionLike(name: string): string | undefined {
  return OPTIONS.find((option) => {
    const [given, meant] = [name.toLowerCase(), option.toLowerCase()];
    let start = 0;
    while (start < given.length && given[start] === meant[start]) start += 1;
    const most = Math.min(given.length, meant.length) - start;
    let end = 0;
    while (end < most && given.at(-1 - end) === meant.at(-1 - end)) end += 1;
    // One letter less, as a single thing is written, is a name of its own.
    return Math.max(given.length, meant.length) - start - end <= 2 && `${given}s` !== meant;
  });
}
