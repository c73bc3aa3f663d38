import { toError } from '../../core/errors/parley-error.ts';
import { SampleOptionsError } from '../../core/errors/sampling-errors.ts';
import type { JsonSchema } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import { jsonSchemaOf } from '../../core/schema/json-schema-of.ts';
import type { Schema } from '../../core/schema/schema.ts';

/** A schema as a model reads it. Tool inputs are objects: any other schema is `wrapped` in one, as its `value`. */
export interface ModelSchema {
  readonly json: JsonSchema;
  readonly wrapped: boolean;
}

/** Sampling in a loop would compile the same schema again and again. */
const compiled = new WeakMap<Schema, ModelSchema>();

/** Compiles a schema for a model. @throws `SampleOptionsError` when JSON cannot carry it. */
export function modelSchemaOf(schema: Schema, where: string): ModelSchema {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compile(schema, where);
  compiled.set(schema, made);
  return made;
}

function compile(schema: Schema, where: string): ModelSchema {
  const { $schema: _, ...json } = converted(schema, where);
  if (json.type === 'object') return { json, wrapped: false };
  const { $defs, definitions, ...value } = json;
  return {
    wrapped: true,
    json: {
      type: 'object',
      properties: { value },
      required: ['value'],
      ...defined({ $defs, definitions }),
    },
  };
}

function converted(schema: Schema, where: string): JsonSchema {
  try {
    return jsonSchemaOf(schema, 'input', where);
  } catch (error) {
    throw new SampleOptionsError(toError(error).message, { cause: error });
  }
}

/** What to validate in the input of a `tool_use`: some clients pass it on as text. */
export function inputOf(input: unknown, { wrapped }: ModelSchema): unknown {
  const value = typeof input === 'string' ? fromText(input) : input;
  if (!wrapped || typeof value !== 'object' || value === null || !('value' in value)) return value;
  return value.value;
}

/** A parsed value as the input of a `tool_use`. */
export function asInput(value: unknown, { wrapped }: ModelSchema): Readonly<Record<string, unknown>> {
  return wrapped ? { value } : (value as Readonly<Record<string, unknown>>);
}

function fromText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
