import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { skeletonOf } from '../../../src/core/schema/skeleton-of.ts';
import { t } from '../../parts/l10n.ts';
import { type ControlProps, shownText } from '../controls/control.ts';
import { TextArea } from '../controls/text-area.tsx';
import { checkJson } from '../field/check-json.ts';
import { type Checked, emptied, right, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import type { SomeField } from '../field/field.ts';

/** Whatever the other kinds cannot express: JSON as text. */
export interface JsonField extends SomeField {
  readonly kind: 'json';
  readonly schema: JsonSchema;
}

/** Whatever the other kinds cannot express. */
export const jsonField: ControlKind<JsonField> = {
  of: (schema) => ({ kind: 'json', schema }),
  raw: (_, value) => JSON.stringify(value, null, 2),
  check: (field, raw) => json(field, typeof raw === 'string' ? raw.trim() : ''),
  hint({ schema }) {
    const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
    return names.length > 0 ? t('JSON with {0}', names.join(', ')) : 'JSON';
  },
  Control: JsonControl,
};

function json(field: JsonField, raw: string): Checked {
  if (raw === '') return emptied(field);
  let value: JsonValue;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return wrong(t('This is not JSON: {0}', error instanceof Error ? error.message : String(error)));
  }
  const problem = checkJson(field.schema, value);
  return problem ? wrong(problem) : right(value);
}

/** JSON as text, for what no other control can express, with its shape to start from. */
function JsonControl({ field, head, state, raw, onChange }: ControlProps<JsonField>) {
  const text = shownText(raw);
  const skeleton = JSON.stringify(skeletonOf(field.schema), null, 2);
  return (
    <>
      <TextArea
        {...head}
        {...state}
        className="input-mono"
        dir="ltr"
        rows={Math.min(12, Math.max(3, skeleton.split('\n').length))}
        spellCheck={false}
        placeholder={skeleton}
        value={text}
        onChange={onChange}
      />
      {text === '' && (
        <button
          type="button"
          className="link link-small"
          disabled={state.disabled}
          onClick={(event) => {
            onChange(skeleton);
            // The button goes away, and must not take the keyboard along.
            event.currentTarget.parentElement?.querySelector('textarea')?.focus();
          }}
        >
          {t('Insert Template')}
        </button>
      )}
    </>
  );
}
