import type { JsonSchema } from '../../../core/messages/json.ts';
import type { Schema } from '../../../core/schema/schema.ts';
import type { StandardIssue, StandardJsonSchemaV1 } from '../../../core/schema/standard-schema.ts';

/**
 * What somebody else listed, such as a server its arguments and results: it is for them to keep. Values pass as they are.
 *
 * @param problems what is wrong with a value, where they do not look themselves
 */
export function listedSchema<T = Readonly<Record<string, unknown>>>(
  json: JsonSchema,
  problems: (value: unknown) => readonly StandardIssue[] = () => [],
): Schema<T> {
  const described = () => json;
  const schema: StandardJsonSchemaV1<T> = {
    '~standard': {
      version: 1,
      vendor: 'parley',
      validate(value) {
        const issues = problems(value);
        return issues.length > 0 ? { issues } : { value: value as T };
      },
      jsonSchema: { input: described, output: described },
    },
  };
  return Object.freeze(schema);
}
