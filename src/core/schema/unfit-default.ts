import * as z from 'zod';
import type { Schema } from './schema.ts';
import { validateNow } from './validate.ts';

interface WithDefault {
  readonly type?: string;
  readonly typeName?: string;
  readonly innerType?: unknown;
  readonly defaultValue?: unknown;
}

/**
 * What is wrong with the default of a schema by its definition, zod 4's or zod 3's; `undefined` where it fits or there is none. Zod 4
 * takes a default as it is, so one that does not fit would reach the code that trusts the schema; zod 3 would refuse every value.
 */
export function unfitDefault(def: WithDefault): string | undefined {
  const { type, typeName, innerType, defaultValue } = def;
  if (type !== 'default' && type !== 'prefault' && typeName !== 'ZodDefault') return undefined;
  const value: unknown = typeof defaultValue === 'function' ? defaultValue() : defaultValue;
  const checked = validateNow(innerType as Schema, value);
  // What is asynchronous can be known only when it is used.
  if (checked instanceof Promise || checked.ok) return undefined;
  return type === 'default' && transforms(innerType as z.core.$ZodType) ? undefined : checked.problem;
}

/** Whether something in a schema of zod 4 is made into something else: then a default is what is made, which cannot be checked. */
function transforms(schema: z.core.$ZodType): boolean {
  let found = false;
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def;
      found ||= type === 'pipe' || type === 'transform';
    },
  });
  return found;
}
