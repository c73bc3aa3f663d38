/** Text of an address without its `%` signs; as it is where those encode nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name that one step of a JSON pointer in an address means. Source: RFC 6901, 4 and 6. */
export function nameOfStep(step: string): string {
  return decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
