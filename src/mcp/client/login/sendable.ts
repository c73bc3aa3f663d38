/** Whether a token can stand in a header. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
