import { ignoreOverride, zodToJsonSchema } from 'zod-to-json-schema';
import type { JsonSchema } from '../messages/json.ts';
import { propertyPath } from './property-path.ts';
import type { Schema } from './schema.ts';
import type { SchemaSide, Unrepresentable, Visit } from './schema-side.ts';

/** What zod 3's converter would pass over or misdescribe, by type name. Transforms matter on the output side only. */
const UNREPRESENTABLE: Readonly<Record<string, string>> = {
  ZodDate: 'Date',
  ZodBigInt: 'BigInt',
  ZodMap: 'Map',
  ZodSet: 'Set',
  ZodFunction: 'function',
  ZodSymbol: 'Symbol',
  ZodUndefined: 'undefined',
  ZodVoid: 'void',
  ZodNaN: 'NaN',
  ZodPromise: 'promise',
};

/** The JSON Schema of a zod 3 schema. `refuse` is called with the first thing that JSON cannot carry. */
export function zod3JsonSchema(
  schema: Schema,
  side: SchemaSide,
  refuse: (found: Unrepresentable) => never,
  visit: Visit,
): JsonSchema {
  const json = zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0], {
    pipeStrategy: side,
    effectStrategy: 'input',
    removeAdditionalStrategy: 'strict',
    applyRegexFlags: true,
    override: (def, refs) => {
      const what = whatOf(def as unknown as Zod3Def, side);
      if (what !== undefined) refuse({ path: propertyPath(refs.currentPath), what });
      visit(refs.currentPath, def);
      return ignoreOverride;
    },
  });
  return json as JsonSchema;
}

interface Zod3Def {
  readonly typeName: string;
  readonly effect?: { readonly type: string };
  readonly coerce?: boolean;
}

function whatOf(def: Zod3Def, side: SchemaSide): string | undefined {
  if (def.typeName === 'ZodEffects') {
    return side === 'output' && def.effect?.type === 'transform' ? 'transform' : undefined;
  }
  return UNREPRESENTABLE[def.typeName];
}
