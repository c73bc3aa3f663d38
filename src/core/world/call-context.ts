import { type Context, createContext, type Scope } from 'effection';

const ALL = Symbol.for('parley.call-contexts');

/** All of them, by name, of every copy of Parley in this process. A scope of Effection does not say which contexts it has. */
const everybody = globalThis as { [ALL]?: Map<string, Context<unknown>> };
everybody[ALL] ??= new Map();
const contexts = everybody[ALL];

/**
 * An Effection context that calls take along: a call outlives the operation that created it, and still has the values that were in force
 * there.
 *
 * @example
 * const Prices = callContext<(item: string) => number>('shop.prices');
 */
export function callContext<T>(name: string, defaultValue?: T): Context<T> {
  const context = createContext<T>(name, defaultValue);
  // Each value is read and set with its own context.
  contexts.set(name, context as Context<unknown>);
  return context;
}

/** What is in force in a scope now, to be put into another one. */
export function captureContexts(from: Scope): (into: Scope) => void {
  const values: [Context<unknown>, unknown][] = [];
  for (const context of contexts.values()) {
    const value = from.get(context);
    if (value !== undefined && value !== context.defaultValue) values.push([context, value]);
  }
  return (into) => {
    for (const [context, value] of values) into.set(context, value);
  };
}
