import type { JsonSchema } from '../../../core/messages/json.ts';
import { asLabel } from '../../../core/messages/label.ts';
import type { AnyTool, ToolRequirements } from '../../../core/tool/tool.ts';

/** A line below a tool in the Tools view. */
export type ToolDetail =
  | {
      readonly kind: 'parameter' | 'field';
      readonly name: string;
      /** What values it takes, such as `string, date` or `en | nl`. */
      readonly type: string;
      readonly required: boolean;
      readonly description: string | undefined;
    }
  | { readonly kind: 'question'; readonly name: string; readonly fields: readonly ToolDetail[] }
  | { readonly kind: 'needs'; readonly name: Need };

type Need = keyof ToolRequirements;

/** Characters of a type, and of what is said of a parameter. */
const SHOWN = 300;
const MOST = 2_000;

/** What a tool takes, what it may ask the person, and what it needs of its client. */
export function detailsOf({ def }: AnyTool): readonly ToolDetail[] {
  const { elicitation, sampling, roots, editor } = def.requires;
  const needs = Object.entries({ elicitation, sampling, roots, editor }).flatMap(
    ([name, needed]): ToolDetail[] => (needed ? [{ kind: 'needs', name: name as Need }] : []),
  );
  const questions = Object.values(def.elicits).map(
    ({ key, json }): ToolDetail => ({
      kind: 'question',
      name: key,
      fields: propertiesOf(json as unknown as JsonSchema, 'field'),
    }),
  );
  return [...propertiesOf(def.parameters.json, 'parameter'), ...questions, ...needs];
}

function propertiesOf(schema: JsonSchema, kind: 'parameter' | 'field'): ToolDetail[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(asObject(schema.properties)).map(([name, property]) => {
    const { description, title } = asObject(property);
    const about = typeof description === 'string' ? description : title;
    return {
      kind,
      name: asLabel(name) || JSON.stringify(name),
      type: asLabel(typeText(asObject(property)), SHOWN),
      required: required.has(name),
      description: typeof about === 'string' ? about.slice(0, MOST) : undefined,
    };
  });
}

/** What a schema takes, in a few words. */
export function typeText(schema: Readonly<Record<string, unknown>>): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(textOf).join(' | ');
  for (const choice of [schema.oneOf, schema.anyOf]) {
    if (Array.isArray(choice)) return choice.map((one) => typeText(asObject(one))).join(' | ');
  }
  if (schema.type === 'array') {
    const items = typeText(asObject(schema.items));
    return items.includes(' ') ? `(${items})[]` : `${items}[]`;
  }
  const type = Array.isArray(schema.type)
    ? schema.type.map(textOf).join(' | ')
    : textOf(schema.type ?? 'any');
  return typeof schema.format === 'string' ? `${type}, ${schema.format}` : type;
}

/** A value as it is written; an object may have a `toString` that is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'any');
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
