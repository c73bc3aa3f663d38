import type { StandardSchemaV1 } from './standard-schema.ts';

/**
 * A schema as tool authors hand it in: zod 4, or zod 3 from 3.24 on. Typed by what both share (Standard Schema), so
 * that a second copy of zod in a workspace tool is as good as ours; never test one with `instanceof`.
 */
export type Schema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/** What a caller may pass to the schema. */
export type InputOf<S> = S extends StandardSchemaV1<infer I, infer _O> ? I : never;

/** What the schema makes of it. */
export type OutputOf<S> = S extends StandardSchemaV1<infer _I, infer O> ? O : never;

/** `unknown` for a schema of an object, or the sentence that says what to do. */
export type ObjectSchema<S> =
  unknown extends InputOf<S>
    ? unknown
    : InputOf<S> extends readonly unknown[]
      ? 'parameters are an object: wrap the schema in z.object({ … })'
      : InputOf<S> extends object
        ? unknown
        : 'parameters are an object: wrap the schema in z.object({ … })';
