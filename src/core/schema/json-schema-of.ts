import * as z from 'zod';
import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { JsonSchema } from '../messages/json.ts';
import { propertyPath } from './property-path.ts';
import { keepTrue, patternsIn, withTruePatterns } from './sayable.ts';
import type { Schema } from './schema.ts';
import { generationOf, isDescribed, isSchema } from './schema-generation.ts';
import type { SchemaSide, Unrepresentable, Visit } from './schema-side.ts';
import { validateNow } from './validate.ts';
import { zod3JsonSchema } from './zod3-json-schema.ts';

/** What `jsonSchemaOf` lets pass. */
export interface Leniency {
  /** Defaults that do not fit: those of a question made at run time are a draft. */
  readonly anyDefault?: boolean;
}

/**
 * The JSON Schema of a zod schema, zod 4 or zod 3, from whichever copy.
 *
 * @param where names the schema in errors: `the parameters of tool 'x'`.
 * @throws `ToolDefinitionError` naming the property, for what JSON cannot carry (dates, bigints, transforms on the
 *   output side, …), and for a default that does not fit its own schema.
 *
 * @example
 * jsonSchemaOf(z.object({ from: z.string() }), 'input', "the parameters of tool 'book_flight'")
 * // { type: 'object', properties: { from: { type: 'string' } }, required: ['from'], … }
 */
export function jsonSchemaOf(
  schema: Schema,
  side: SchemaSide,
  where: string,
  { anyDefault = false }: Leniency = {},
): JsonSchema {
  const visit: Visit = (path, def) => {
    const problem = anyDefault ? undefined : unfitDefault(def);
    if (problem !== undefined) throw unfit(where, propertyPath(path), problem);
  };
  if (!isSchema(schema)) {
    throw new ToolDefinitionError(`${where}: expected a zod schema, such as z.object({ … })`);
  }
  switch (generationOf(schema)) {
    case 'zod4':
      return zod4JsonSchema(schema as unknown as z.core.$ZodType, side, where, visit);
    case 'zod3':
      return withTruePatterns(
        zod3JsonSchema(schema, side, (found) => refuse(where, side, found), visit),
        [],
        side === 'output',
      );
    case 'described':
      return withTruePatterns(describedJsonSchema(schema, side), [], false);
    default:
      throw new ToolDefinitionError(
        `${where}: schemas are made with zod 4, or zod 3 from 3.24 on; this one is made with something else, and does not say what it is as JSON Schema`,
      );
  }
}

function describedJsonSchema(schema: Schema, side: SchemaSide): JsonSchema {
  return isDescribed(schema) ? schema['~standard'].jsonSchema[side]({ target: 'draft-2020-12' }) : {};
}

function zod4JsonSchema(schema: z.core.$ZodType, side: SchemaSide, where: string, visit: Visit): JsonSchema {
  const patterns: RegExp[] = [];
  const json = z.toJSONSchema(schema, {
    io: side,
    metadata: metadataOfAnyCopy,
    override: ({ zodSchema, jsonSchema, path }) => {
      visit(path, zodSchema._zod.def);
      withoutSafeRange(jsonSchema);
      patterns.push(...patternsIn(zodSchema));
      keepTrue(zodSchema, jsonSchema, side);
    },
    unrepresentable: ({ zodSchema, path, message }) =>
      refuse(where, side, { path: propertyPath(path), what: whatOf(zodSchema, message) }),
  });
  return withTruePatterns(json as JsonSchema, patterns, side === 'output');
}

/** `z.int()` carries the range of safe integers: no model needs to read it. */
function withoutSafeRange(json: { minimum?: number; maximum?: number; type?: unknown }): void {
  if (json.type !== 'integer') return;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

/** Titles live in the registry of the copy that made the schema; `schema.meta()` reads that one. */
const metadataOfAnyCopy = {
  get(schema: z.core.$ZodType) {
    const own = (schema as { meta?: () => unknown }).meta?.();
    return own ?? z.globalRegistry.get(schema);
  },
} as unknown as z.core.$ZodRegistry<Record<string, unknown>>;

function whatOf(schema: z.core.$ZodType, message: string): string {
  const type = schema._zod.def.type;
  return type === 'custom' || type === 'transform' || type === 'function' ? type : (typeIn(message) ?? type);
}

function typeIn(message: string): string | undefined {
  return /^(.*?) cannot be represented in JSON Schema/.exec(message)?.[1];
}

const INSTEAD: Readonly<Record<string, string>> = {
  transform: 'describe what comes out with .pipe(z.…()), or transform in the code of the tool',
  Date: 'use z.iso.datetime() or z.iso.date(), and make the Date in the code of the tool',
  BigInt: 'use z.string() or z.int()',
  custom: 'use a schema that JSON can describe, with .refine() for the rest',
  Map: 'use z.record()',
  Set: 'use z.array()',
  function: 'pass data instead',
};

function unfit(where: string, property: string, problem: string): Error {
  const place =
    property === '' ? `${where}: its default` : `${where}: the default of the property '${property}'`;
  return new ToolDefinitionError(`${place} does not fit its own schema (${problem}): change one of them`, {
    details: { property },
  });
}

function refuse(where: string, side: SchemaSide, found: Unrepresentable): never {
  const place = found.path === '' ? where : `${where}: the property '${found.path}'`;
  const instead = INSTEAD[found.what] ?? 'use a type that JSON has';
  throw new ToolDefinitionError(
    `${place} cannot be sent as JSON (${found.what}, on the ${side} side): ${instead}`,
    {
      details: { property: found.path, side },
    },
  );
}

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
function unfitDefault(def: WithDefault): string | undefined {
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
