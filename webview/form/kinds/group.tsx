import type { JsonObject, JsonValue } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import type { NestedProps } from '../controls/control.ts';
import { absent, allOf, type Checked } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { below, isBlank, membersOf, type Raw, type SomeField } from '../field/field.ts';
import type { Fields } from '../field/fields.ts';

/** An object of known members (parameters only). */
export interface GroupField extends SomeField {
  readonly kind: 'group';
  readonly fields: readonly SomeField[];
}

/** An object of known members. */
export const groupField: ControlKind<GroupField> = {
  of({ type, properties, additionalProperties: more, required }, { cannotBeLeftOut, isDeepest, inner }) {
    if (type !== 'object' || isDeepest || cannotBeLeftOut || !isObject(properties) || hasMore(more))
      return undefined;
    const needed = new Set(Array.isArray(required) ? required : []);
    const members = Object.entries(properties);
    if (members.length === 0) return undefined;
    return { kind: 'group', fields: members.map(([name, of]) => inner(of, name, needed.has(name))) };
  },
  raw: (field, value, { initialRaw }) =>
    isObject(value) ? initialRaw(field.fields, value as JsonObject) : undefined,
  check,
  blank: (field, { initialRaw }) => initialRaw(field.fields),
  typed: (field, raw, { typedIn }) => typedIn(field.fields, membersOf(raw) ?? {}),
  holds: (field, value, { namesLost }) =>
    isObject(value) && namesLost(field.fields, value as JsonObject).length === 0,
  isGroup: true,
  Control: GroupControl,
};

/** Does an object say what its other members are? That it may have any says no more than a schema that is silent. */
function hasMore(more: unknown): boolean {
  return isObject(more) && Object.keys(more).length > 0;
}

/** An optional group that nobody touched, or that is all empty, is left out. */
function check(field: GroupField, raw: Raw, { initialRaw, validateField }: Fields): Checked {
  const members = membersOf(raw);
  if (!field.required && (members === undefined || isBlank(members))) return absent;
  const held = members ?? initialRaw(field.fields);
  return allOf(
    field.fields.map((member) => ({ step: member.name, checked: validateField(member, held[member.name]) })),
    (values) =>
      Object.fromEntries(values.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)),
  );
}

/** The members of an object, as a form within the form. */
function GroupControl({ field, head, path, raw, fields, draw, onChange }: NestedProps<GroupField>) {
  const members = membersOf(raw) ?? fields.initialRaw(field.fields);
  return (
    // biome-ignore lint/a11y/useSemanticElements: its legend is the label of the row it is in
    <div className="group" role="group" tabIndex={-1} {...head}>
      {field.fields.map((member) =>
        draw({
          field: member,
          path: below(path, member.name),
          raw: members[member.name],
          onChange: (next) => onChange({ ...members, [member.name]: next }),
        }),
      )}
    </div>
  );
}
