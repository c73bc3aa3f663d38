import type { FormJsonSchema } from '../../src/core/form/form-schema.ts';
import type { JsonObject, JsonSchema } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { topOf } from './field/field.ts';
import type { JsonField } from './kinds/json.tsx';
import { type Field, initialRaw, namesLost, validateField } from './kinds.ts';
import { validateForm } from './validate-form.ts';

/** What a text says, or what is wrong with it, for a person. */
export type ReadJson =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly error: string };

/** A whole form as one field of JSON. */
export function asJsonField(schema: FormJsonSchema | JsonSchema): JsonField {
  const whole: JsonSchema = { ...schema, type: 'object' };
  const required = Array.isArray(whole.required) && whole.required.length > 0;
  return { kind: 'json', name: 'json', title: t('Parameters as JSON'), required, schema: whole };
}

/** The answer in a text, checked as the form checks it. */
export function readParameters(field: JsonField, fields: readonly Field[], text: string): ReadJson {
  const read = readWith(field, text);
  if (!read.ok) return read;
  // What no control can show is for the schema, and for the host of the tool.
  const lost = new Set(namesLost(fields, read.values));
  const shown = fields.filter(({ name }) => !lost.has(name));
  const checked = validateForm(shown, initialRaw(shown, read.values));
  if (checked.ok) return read;
  const titles = new Map(fields.map(({ name, title }) => [name, title]));
  const errors = [...checked.errors].map(([path, error]) => `${titles.get(topOf(path))}: ${error}`);
  return { ok: false, error: errors.join(' ') };
}

/** What a form shows of a text: what is missing or wrong is for the form to say, but nothing is lost on the way. */
export function readForForm(field: JsonField, fields: readonly Field[], text: string): ReadJson {
  const any = readWith({ ...field, required: false, schema: { type: 'object' } }, text);
  if (!any.ok) return any;
  const [lost] = namesLost(fields, any.values);
  if (lost === undefined) return any;
  if (!fields.some(({ name }) => name === lost)) {
    return { ok: false, error: t('“{0}” is not expected here.', lost) };
  }
  const checked = readWith({ ...field, schema: { ...field.schema, required: [] } }, text);
  return checked.ok ? { ok: false, error: t('The form cannot show “{0}”.', lost) } : checked;
}

/** Whether a form would lose some of these values, though they are right. */
export function isLossy(field: JsonField, fields: readonly Field[], values: JsonObject): boolean {
  const known = new Set(fields.map(({ name }) => name));
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
  if (namesLost(fields, shown).length === 0) return false;
  return readWith({ ...field, schema: { ...field.schema, required: [] } }, JSON.stringify(shown)).ok;
}

function readWith(field: JsonField, text: string): ReadJson {
  const checked = validateField(field, text);
  if (!checked.ok) return { ok: false, error: checked.error };
  return { ok: true, values: isJsonObject(checked.value) ? checked.value : {} };
}
