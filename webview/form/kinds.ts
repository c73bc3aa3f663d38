import { isString, keywordsOf } from '../../src/core/form/field-kind.ts';
import type { JsonSchema, JsonValue } from '../../src/core/messages/json.ts';
import { readableName } from '../../src/core/messages/readable-name.ts';
import { isObject } from '../../src/core/schema/is-object.ts';
import type { ControlKind, Place } from './field/control-kind.ts';
import { INCOMPLETE, type SomeField } from './field/field.ts';
import type { Fields } from './field/fields.ts';
import { simplify } from './field/simplify.ts';
import { filesField } from './kinds/files.tsx';
import { groupField } from './kinds/group.tsx';
import { jsonField } from './kinds/json.tsx';
import { listField } from './kinds/list.tsx';
import { multiField } from './kinds/multi.ts';
import { numberField } from './kinds/number.tsx';
import { recordField } from './kinds/record.tsx';
import { singleField } from './kinds/single.ts';
import { textField } from './kinds/text.ts';
import { tickField } from './kinds/tick.tsx';

/** All kinds, by the `kind` of their fields. The first that a schema is of has it: JSON has what no other takes. */
const kinds = {
  files: filesField,
  single: singleField,
  string: textField,
  number: numberField,
  integer: numberField,
  boolean: tickField,
  multi: multiField,
  list: listField,
  group: groupField,
  record: recordField,
  json: jsonField,
};

/** One field of a form. */
export type Field = FieldOf<(typeof kinds)[keyof typeof kinds]>;
type FieldOf<K> = K extends ControlKind<infer F> ? F : never;

/** The kind of a field. */
export function kindOfControl(field: SomeField): ControlKind<SomeField> {
  const all: Readonly<Record<string, ControlKind<SomeField>>> = kinds;
  return all[field.kind] ?? jsonField;
}

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
    fieldOf(property, name, required.has(name), schema, 0),
  );
}

/** So deep a form goes; what is deeper, or refers to itself, is JSON. */
const DEEPEST = 3;

function fieldOf(given: unknown, name: string, required: boolean, root: JsonSchema, depth: number): Field {
  const property = isObject(given) ? given : {};
  if (property.type === 'string' && isObject(property.json)) {
    const { type: _, json: data, ...labels } = property;
    return fieldOf({ ...data, ...labels }, name, required, data, depth);
  }
  const { schema, nullable } = simplify(property, root);
  const place: Place = {
    required,
    nullable: nullable === true,
    cannotBeLeftOut: nullable === true && required,
    isDeepest: depth === DEEPEST,
    simple: (one) => simplify(one, root).schema,
    inner: (of, as, needed) => fieldOf(of, as, needed, root, depth + 1),
    row(of) {
      const row = fieldOf(of, '', true, root, depth + 1);
      return kindOfControl(row).inRow?.(row) ?? row;
    },
  };
  const made = PLAIN.reduce<ReturnType<ControlKind<SomeField>['of']>>(
    (found, kind) => found ?? kind.of(schema, place),
    undefined,
  );
  const base = {
    name,
    title: isString(schema.title) ? schema.title : readableName(name),
    required,
    default: schema.default as JsonValue | undefined,
    nullable,
    ...keywordsOf(schema, isString, 'description', 'page'),
  };
  // What a kind makes of a schema is a field of it, but for what all fields have.
  return { ...base, ...(made ?? jsonField.of(property, place)) } as Field;
}

const { json: _, ...others } = kinds;
const PLAIN: readonly ControlKind<SomeField>[] = Object.values(others);

/** What can be asked of a field, whatever its kind. */
export const fields: Fields = {
  rawOf: (field, value) => (value === undefined ? undefined : kindOfControl(field).raw(field, value, fields)),
  initialRaw: (all, values = {}) =>
    Object.fromEntries(
      all.map((field) => [
        field.name,
        fields.rawOf(field, Object.hasOwn(values, field.name) ? values[field.name] : field.default),
      ]),
    ),
  blankOf(field) {
    const { blank } = kindOfControl(field);
    return blank ? blank(field, fields) : (fields.rawOf(field, field.default) ?? '');
  },
  validateField: (field, raw) => kindOfControl(field).check(field, raw, fields),
  typedIn: (all, raw) =>
    Object.fromEntries(
      all.flatMap((field) => {
        const value = fields.typedInto(field, raw[field.name]);
        return value === undefined ? [] : [[field.name, value]];
      }),
    ),
  typedInto(field, raw) {
    const checked = fields.validateField(field, raw);
    if (checked.ok) return checked.value;
    const { typed } = kindOfControl(field);
    if (typed) return typed(field, raw, fields);
    return typeof raw === 'string' && raw !== '' && raw !== INCOMPLETE ? raw : undefined;
  },
  namesLost: (all, values) =>
    Object.entries(values).flatMap(([name, value]) => {
      const field = all.find((one) => one.name === name);
      return field && (value === undefined || fields.holds(field, value)) ? [] : [name];
    }),
  holds(field, value) {
    if (value === null && field.nullable) return true;
    const { holds } = kindOfControl(field);
    if (holds) return holds(field, value, fields);
    const raw = fields.rawOf(field, value);
    return raw !== undefined && (raw === '') === (value === '');
  },
};

export const { rawOf, initialRaw, validateField, typedIn, namesLost } = fields;
