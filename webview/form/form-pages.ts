import type { Field } from './kinds.ts';

/** A part of a form that is filled in at a time. */
export interface FormPage {
  readonly title: string | undefined;
  readonly fields: readonly Field[];
}

/** The pages of a form, in the order in which their first fields stand; a field without a page is on the one before it. */
export function pagesOf(fields: readonly Field[]): readonly FormPage[] {
  const pages = new Map<string | undefined, Field[]>();
  let title: string | undefined;
  for (const field of fields) {
    title = field.page ?? title;
    pages.set(title, [...(pages.get(title) ?? []), field]);
  }
  return pages.size === 0
    ? [{ title: undefined, fields: [] }]
    : [...pages].map(([heading, members]) => ({ title: heading, fields: members }));
}

/** The fields that stand by themselves, each with those that are a note on it. */
export function withNotes(fields: readonly Field[]): readonly { field: Field; notes: readonly Field[] }[] {
  const names = new Set(fields.map(({ name }) => name));
  const targetOf = (field: Field) =>
    field.kind === 'string' &&
    field.noteOn !== undefined &&
    names.has(field.noteOn) &&
    field.noteOn !== field.name
      ? field.noteOn
      : undefined;
  return fields
    .filter((field) => targetOf(field) === undefined)
    .map((field) => ({ field, notes: fields.filter((other) => targetOf(other) === field.name) }));
}
