import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';
import { readableName } from '../../../src/core/messages/readable-name.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { choicesOf } from './choices-of.ts';
import type { Field } from './field.ts';
import { simplify } from './simplify.ts';

/**
 * The fields of a form for any JSON Schema of an object: those of the restricted elicitation schema, rows for lists,
 * groups for objects, pairs for records, and a JSON field for everything else. Used for questions and for the parameters of Run Tool… alike.
 *
 * @example
 * fieldsOf({ type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] })
 * // [{ kind: 'integer', name: 'seats', title: 'Seats', required: true, minimum: 1, … }]
 */
export function fieldsOf(schema: JsonSchema): Field[] {
  const root = simplify(schema, schema).schema;
  const required = new Set(Array.isArray(root.required) ? root.required : []);
  return Object.entries(isObject(root.properties) ? root.properties : {}).map(([name, property]) =>
    fieldOf({
      name,
      property: isObject(property) ? property : {},
      required: required.has(name),
      root: schema,
    }),
  );
}

/** So deep a form goes; what is deeper, or refers to itself, is JSON. */
const DEEPEST = 3;

interface Place {
  readonly name: string;
  readonly property: JsonSchema;
  readonly required: boolean;
  /** The whole document, for what is referred to. */
  readonly root: JsonSchema;
  readonly depth?: number;
}

function fieldOf({ name, property, required, root, depth = 0 }: Place): Field {
  const { schema, nullable } = simplify(property, root);
  const base = {
    name,
    title: typeof schema.title === 'string' ? schema.title : readableName(name),
    required,
    default: schema.default as JsonValue | undefined,
    nullable,
    ...read(schema, 'string', 'description', 'page'),
  };
  const json = { ...base, kind: 'json', schema: property } as const;
  /** Rows and groups cannot say `null`; they can be left out, where that may be. */
  const cannotBeLeftOut = nullable && required;
  const inner = (of: unknown, as: string, needed: boolean): Field =>
    fieldOf({ name: as, property: isObject(of) ? of : {}, required: needed, root, depth: depth + 1 });
  /** What stands in a row: a text of one line, unless its author says otherwise. */
  const rowOf = (of: unknown): Field => {
    const row = inner(of, '', true);
    return row.kind === 'string' ? { ...row, multiline: row.multiline ?? false } : row;
  };
  const choices = choicesOf(schema);
  if (choices) return { ...base, kind: 'single', choices, ...read(schema, 'boolean', 'other') };
  switch (schema.type) {
    case 'string':
      return {
        ...base,
        kind: 'string',
        format: FORMATS.find((known) => known === schema.format),
        pick: PICKS.find((known) => known === schema.pick),
        ...read(schema, 'number', 'minLength', 'maxLength'),
        ...read(schema, 'string', 'pattern', 'placeholder', 'noteOn'),
        ...read(schema, 'boolean', 'multiline'),
      };
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: schema.type,
        ...read(schema, 'number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
        ...read(schema, 'string', 'placeholder'),
      };
    case 'boolean':
      // A tick cannot say `null`.
      return nullable ? json : { ...base, kind: 'boolean' };
    case 'array': {
      if (!isObject(schema.items) || cannotBeLeftOut || schema.prefixItems !== undefined) return json;
      const sizes = read(schema, 'number', 'minItems', 'maxItems');
      const several = choicesOf(simplify(schema.items, root).schema);
      if (several) {
        return { ...base, kind: 'multi', choices: several, ...sizes, ...read(schema, 'boolean', 'ordered') };
      }
      const item = depth < DEEPEST ? rowOf(schema.items) : json;
      const drawn = item.kind !== 'json' && item.kind !== 'boolean' && !item.nullable;
      return drawn ? { ...base, kind: 'list', item, ...sizes } : json;
    }
    case 'object': {
      const { properties, additionalProperties: more } = schema;
      if (depth === DEEPEST || cannotBeLeftOut) return json;
      if (isObject(properties) && Object.keys(properties).length > 0 && !hasMore(more)) {
        const needed = new Set(Array.isArray(schema.required) ? schema.required : []);
        const fields = Object.entries(properties).map(([member, of]) =>
          inner(of, member, needed.has(member)),
        );
        return { ...base, kind: 'group', fields };
      }
      // Keys that have rules of their own are JSON.
      const keys = isObject(schema.propertyNames) ? Object.keys(schema.propertyNames) : [];
      if (properties === undefined && isOpen(more) && keys.every((keyword) => keyword === 'type')) {
        const value = rowOf(more);
        if (value.kind !== 'json') return { ...base, kind: 'record', value };
      }
    }
  }
  return json;
}

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
const PICKS = ['file', 'folder', 'place'] as const;

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** The keywords of a schema that are of a type, as they are. */
function read<Type extends keyof Types, Name extends string>(
  schema: JsonSchema,
  type: Type,
  ...names: readonly Name[]
): { readonly [K in Name]?: Types[Type] } {
  const kept = names.filter((name) => typeof schema[name] === type);
  return Object.fromEntries(kept.map((name) => [name, schema[name]])) as { [K in Name]?: Types[Type] };
}

/** Does an object say what its other members are? That it may have any says no more than a schema that is silent. */
function hasMore(more: unknown): boolean {
  return isObject(more) && Object.keys(more).length > 0;
}

/** May an object have members beside those that are named? */
function isOpen(more: unknown): boolean {
  return more === true || isObject(more);
}
