/** The names of the options of `T`: each of them, or it does not compile. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** @throws `TypeError` for an option that is not known, so that nobody waits for what it would do; left out, there is nothing to check */
export function checkOptions(of: string, given: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${of} knows no option '${unknown}': it knows ${known.join(', ')}`);
}
