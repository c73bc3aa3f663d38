/** `T` with the properties that may be undefined left out rather than set: what `exactOptionalPropertyTypes` asks for. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * `properties` without those that are undefined, to be spread into an object whose properties are optional.
 *
 * @example
 * ```ts
 * const title: string | undefined = undefined;
 * const named: { name: string; title?: string } = { name: 'seat', ...defined({ title }) };
 * ```
 */
export function defined<T extends object>(properties: T): Defined<T> {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}
