/** The end of a reason for which a call is best made again: nobody stopped it. */
export const MAKE_AGAIN = 'Make the call again.';

/** With one full stop. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

/**
 * What a model reads of a call that was ended from outside, on every surface: why, and what to do.
 *
 * @param what the call, at the beginning of a sentence
 *
 * @example
 * stoppedText('book', 'the user stopped it')
 * // book was stopped: the user stopped it. Do not run it again unless the user asks.
 */
export function stoppedText(what: string, reason: string): string {
  const said = `${what} was stopped: ${sentence(reason)}`;
  return said.endsWith(MAKE_AGAIN) ? said : `${said} Do not run it again unless the user asks.`;
}
