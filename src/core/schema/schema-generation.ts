import type { Schema } from './schema.ts';
import type { StandardJsonSchemaV1 } from './standard-schema.ts';

/**
 * What made a schema: the two zods keep their definitions in different places and convert with different code; one that is
 * `described` says itself what its JSON Schema is.
 */
export type SchemaGeneration = 'zod4' | 'zod3' | 'described' | 'unknown';

/** Which zod made a schema, told by its shape: the schema may come from another copy of zod than ours. */
export function generationOf(schema: unknown): SchemaGeneration {
  if (typeof schema !== 'object' || schema === null) return 'unknown';
  if ('_zod' in schema) return 'zod4';
  const def = '_def' in schema ? schema._def : undefined;
  if (typeof def === 'object' && def !== null && 'typeName' in def) return 'zod3';
  return isDescribed(schema) ? 'described' : 'unknown';
}

/** Whether a schema carries its JSON Schema, as Standard JSON Schema says (https://standardschema.dev/json-schema). */
export function isDescribed(schema: unknown): schema is StandardJsonSchemaV1 {
  return isSchema(schema) && 'jsonSchema' in schema['~standard'];
}

/** Whether a value can validate (Standard Schema); says nothing of whether it can be described on a wire. */
export function isSchema(value: unknown): value is Schema {
  if (typeof value !== 'object' || value === null || !('~standard' in value)) return false;
  const standard = value['~standard'];
  return (
    typeof standard === 'object' &&
    standard !== null &&
    'validate' in standard &&
    typeof standard.validate === 'function'
  );
}

interface Definition {
  readonly shape?: Readonly<Record<string, unknown>> | (() => Readonly<Record<string, unknown>>);
  readonly innerType?: unknown;
  readonly coerce?: boolean;
}

/** Whether an object's schema makes what it wants of any value of a property: `z.coerce`, of either zod. */
export function isCoerced(object: unknown, property: string): boolean {
  const { shape } = definitionOf(object);
  let { innerType, coerce } = definitionOf((typeof shape === 'function' ? shape() : shape)?.[property]);
  while (innerType !== undefined) ({ innerType, coerce } = definitionOf(innerType));
  return coerce === true;
}

function definitionOf(schema: unknown): Definition {
  const { _zod, _def } = (schema ?? {}) as {
    readonly _zod?: { readonly def: Definition };
    readonly _def?: Definition;
  };
  return _zod?.def ?? _def ?? {};
}
