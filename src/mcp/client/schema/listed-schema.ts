import type { JsonSchema } from '../../../core/messages/json.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import type { StandardJsonSchemaV1 } from '../../../core/schema/standard-schema.ts';

/** What somebody else listed, such as a server its arguments and results: it is for them to keep. Values pass as they are. */
export function listedSchema<T = Readonly<Record<string, unknown>>>(json: JsonSchema): Schema<T> {
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
