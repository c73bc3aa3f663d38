import { below, type GroupField, membersOf } from '../field/field.ts';
import { initialRaw } from '../field/raw-of.ts';
import type { NestedProps } from './control.ts';

/** The members of an object, as a form within the form. */
export function GroupControl({ field, head, path, raw, draw, onChange }: NestedProps<GroupField>) {
  const members = membersOf(raw) ?? initialRaw(field.fields);
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
