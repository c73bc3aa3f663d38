import type { JsonSchema } from '../../../core/messages/json.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import type { StandardJsonSchemaV1 } from '../../../core/schema/standard-schema.ts';
import { problemsOf } from './check.ts';

/**
 * A schema of JSON Schema, as a server sent it. Values are checked as far as it is cheap and safe to; they pass as they are, for
 * defaults and the last word are the server's.
 */
export function foreignSchema<T = Readonly<Record<string, unknown>>>(json: JsonSchema): Schema<T> {
  const described = () => json;
  const schema: StandardJsonSchemaV1<T> = {
    '~standard': {
      version: 1,
      vendor: 'parley',
      validate(value) {
        const issues = problemsOf(json, value);
        return issues.length > 0 ? { issues } : { value: value as T };
      },
      jsonSchema: { input: described, output: described },
    },
  };
  return Object.freeze(schema);
}

/** The schema of a server's arguments or result: it is listed, and left to the server to keep. */
export function listedSchema<T>(json: JsonSchema): Schema<T> {
  const described = () => json;
  const schema: StandardJsonSchemaV1<T> = {
    '~standard': {
      version: 1,
      vendor: 'parley',
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: described, output: described },
    },
  };
  return Object.freeze(schema);
}
