import type { Operation } from 'effection';
import * as z from 'zod';
import { ElicitationOptionsError } from '../errors/elicit-errors.ts';
import type { Preview } from '../form/kinds/choices.ts';
import { defined } from '../schema/defined.ts';
import type { OutputOf, Schema } from '../schema/schema.ts';
import { digest } from '../world/digest.ts';
import type { InlineElicitOptions } from './elicit.ts';
import { helper } from './helper.ts';

/** Whatever can ask a question that it has not declared, and gives its content: every `ctx` of a tool. */
export interface CanChoose {
  readonly elicit: {
    readonly strict: <S extends Schema>(options: InlineElicitOptions<S>) => Operation<OutputOf<S>>;
  };
}

/** What {@link choose} takes. */
export interface ChooseOptions<T> {
  /** What the person reads above the choices. */
  readonly message: string;
  /** At least one. */
  readonly items: readonly T[];
  /** What an item is called: how the person knows it, and how it is found again. Those of one name are told apart by all that they are. */
  label(item: T): string;
  /** A line below its name. */
  describe?(item: T): string | undefined;
  /** What stands beside it in Parley's own form. */
  preview?(item: T): Preview | undefined;
  /** Whether it is the one to take. */
  recommended?(item: T): boolean;
  /** Names the question, as `ctx.elicit` takes it. */
  readonly key?: string;
  /** Milliseconds, as `ctx.elicit` takes them. */
  readonly timeout?: number;
}

/**
 * Lets the person choose, and gives the items themselves. An item is found by its label, so what has changed meanwhile is asked again,
 * and never taken for another. A tool says `.elicits({ … })`, if only with `{}`.
 *
 * @throws `ElicitationDeclinedError`, `ElicitationCancelledError` for a “no”, `ElicitationOptionsError` where there is nothing to choose from
 * @example
 * const flight = yield* choose(ctx, { message: 'Which flight?', items: flights, label: ({ id }) => id });
 * const files = yield* choose(ctx, { message: 'Which files?', items: all, label: ({ path }) => path, many: true });
 */
export function choose<T>(
  ctx: CanChoose,
  options: ChooseOptions<T> & { readonly many: true },
): Operation<T[]>;
export function choose<T>(
  ctx: CanChoose,
  options: ChooseOptions<T> & { readonly many?: false },
): Operation<T>;
export function choose<T>(
  ctx: CanChoose,
  { message, items, many, key, timeout, ...options }: ChooseOptions<T> & { readonly many?: boolean },
): Operation<T | T[]> {
  const byName = named(items, options.label);
  const choices = Array.from(byName, ([name, item]) => {
    const title = options.label(item);
    const description = options.describe?.(item);
    const preview = options.preview?.(item);
    const recommended = options.recommended?.(item) ? true : undefined;
    return z.literal(name).meta({ title, ...defined({ description, preview, recommended }) });
  });
  const one = z.union(choices);
  const choice = many ? z.array(one) : one;
  const asked = ctx.elicit.strict({ message, schema: z.object({ choice }), ...defined({ key, timeout }) });
  // The schema has let only names of items through.
  const itemOf = (name: string) => byName.get(name) as T;
  return helper('choose', message, asked, ({ choice: given }) =>
    typeof given === 'string' ? itemOf(given) : given.map(itemOf),
  );
}

/** Items by what the answer calls them: their label, where no other has it. */
function named<T>(items: readonly T[], label: (item: T) => string): ReadonlyMap<string, T> {
  const alike = new Map<string, T[]>();
  for (const item of items) {
    const name = label(item);
    if (typeof name !== 'string' || name.trim() === '')
      throw cannot('an item has no label: a label is a text');
    alike.set(name, [...(alike.get(name) ?? []), item]);
  }
  if (alike.size === 0) throw cannot('there is nothing to choose from: see that there is before you ask');
  const found = new Map<string, T>();
  for (const [name, same] of alike) {
    for (const item of same) {
      const whole = same.length === 1 ? name : `${name} #${digest(JSON.stringify(item) ?? '').slice(0, 8)}`;
      // What is the same in all is one choice.
      if (!found.has(whole)) found.set(whole, item);
    }
  }
  return found;
}

function cannot(problem: string): Error {
  return new ElicitationOptionsError({ key: 'choose', problem });
}
