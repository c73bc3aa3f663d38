import type { Schema } from './schema.ts';

/** Which zod made a schema: they keep their definitions in different places and convert with different code. */
export type SchemaGeneration = 'zod4' | 'zod3' | 'unknown';

/** Which zod made a schema, told by its shape: the schema may come from another copy of zod than ours. */
export function generationOf(schema: unknown): SchemaGeneration {
  if (typeof schema !== 'object' || schema === null) return 'unknown';
  if ('_zod' in schema) return 'zod4';
  const def = '_def' in schema ? schema._def : undefined;
  return typeof def === 'object' && def !== null && 'typeName' in def ? 'zod3' : 'unknown';
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
