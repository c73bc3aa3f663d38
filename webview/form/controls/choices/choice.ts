import { preview, type TitledConst } from '../../../../src/core/form/kinds/choices.ts';
import type { JsonSchema, JsonValue } from '../../../../src/core/messages/json.ts';
import { isObject } from '../../../../src/core/schema/is-object.ts';
import type { Keywords } from '../../field/field.ts';

/** Something to choose. */
export interface Choice extends Keywords<TitledConst, 'description' | 'recommended' | 'preview'> {
  /** Tells choices apart, and is what a draft holds. */
  readonly id: string;
  readonly title: string;
  readonly value: JsonValue;
}

/** What a draft holds for a value that is among some choices. */
export function idOfChoice(choices: readonly Choice[], value: JsonValue): string | undefined {
  const text = JSON.stringify(value);
  return choices.find((choice) => JSON.stringify(choice.value) === text)?.id;
}

/**
 * The choices of a schema that lists its values: `enum` (with the legacy `enumNames`), `const`, or titled
 * `oneOf`/`anyOf` of constants. `undefined` for any other schema.
 */
export function choicesOf(schema: JsonSchema): Choice[] | undefined {
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value: JsonValue, at) => choice(value, names[at]));
  }
  if ('const' in schema) return [choice(schema.const as JsonValue, undefined)];
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled) && titled.length > 0 && titled.every(isConst)) {
    return titled.map((option) => ({ ...choice(option.const, option.title), ...helpOf(option) }));
  }
  return undefined;
}

/** What helps to choose: Parley's hints beside a titled constant. */
function helpOf({
  description,
  recommended,
  preview: shown,
}: Readonly<Record<string, unknown>>): Partial<Choice> {
  const parsed = preview.safeParse(shown);
  return {
    ...(typeof description === 'string' && { description }),
    ...(recommended === true && { recommended }),
    ...(parsed.success && { preview: parsed.data }),
  };
}

function choice(value: JsonValue, title: unknown): Choice {
  const id = typeof value === 'string' ? value : JSON.stringify(value);
  return { id, title: typeof title === 'string' && title !== '' ? title : id, value };
}

function isConst(option: unknown): option is { readonly [keyword: string]: unknown; const: JsonValue } {
  return isObject(option) && 'const' in option;
}
