import { isString, keywordsOf } from '../../../src/core/form/field-kind.ts';
import { TEXT_FORMATS, TEXT_PICKS } from '../../../src/core/form/kinds/text.ts';
import { t } from '../../parts/l10n.ts';
import { TextControl } from '../controls/text-control.tsx';
import type { TextField } from '../controls/text-field.ts';
import { type Checked, emptied, right, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { isDate, isLeftOut, toInstant, toLocal, zoneName } from '../field/dates.ts';
import { isBoolean, isNumber } from '../field/is.ts';
import { atLeast, range } from '../field/limits.ts';

/** Free text. */
export const textField: ControlKind<TextField> = {
  of: (schema) =>
    schema.type === 'string'
      ? {
          kind: 'string',
          format: TEXT_FORMATS.find((known) => known === schema.format),
          pick: TEXT_PICKS.find((known) => known === schema.pick),
          ...keywordsOf(schema, isNumber, 'minLength', 'maxLength'),
          ...keywordsOf(schema, isString, 'pattern', 'placeholder', 'noteOn'),
          ...keywordsOf(schema, isBoolean, 'multiline'),
        }
      : undefined,
  raw: ({ format }, value) =>
    typeof value !== 'string' ? undefined : format === 'date-time' ? toLocal(value) : value,
  check: (field, raw) => text(field, typeof raw === 'string' ? raw : '', raw !== undefined),
  hint: ({ format, minLength, maxLength }) =>
    format === 'date-time'
      ? t('Your time ({0})', zoneName())
      : // One character is what “required” says, and an optional field may stay empty.
        range(atLeast(2, minLength), maxLength, {
          both: (from, to) => t('{0} to {1} characters', from, to),
          least: (from) => t('At least {0} characters', from),
          most: (to) => (to === 1 ? t('One character') : t('At most {0} characters', to)),
        }),
  inRow: (field) => ({ ...field, multiline: field.multiline ?? false }),
  Control: TextControl,
};

function text(field: TextField, raw: string, touched: boolean): Checked {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  if (raw === '') {
    // Clearing a default means “empty”: left out, the default would come back on the other side.
    const cleared = touched && field.default !== undefined && !format && minLength === 0 && !field.pattern;
    return cleared ? right('') : emptied(field);
  }
  if (format === 'date') return isDate(raw) ? right(raw) : wrong(t('Enter a complete date.'));
  if (format === 'date-time') return instant(field, raw);
  if (raw.length < minLength)
    return wrong(t('Enter at least {0} characters (now {1}).', minLength, raw.length));
  if (raw.length > maxLength) {
    return wrong(
      maxLength === 1
        ? t('Enter one character (now {0}).', raw.length)
        : t('Enter at most {0} characters (now {1}).', maxLength, raw.length),
    );
  }
  if (format === 'email' && !EMAIL.test(raw))
    return wrong(t('Enter an email address, such as ada@example.com.'));
  if (format === 'uri' && !URL.canParse(raw))
    return wrong(t('Enter a whole address, such as https://example.com.'));
  if (field.pattern && !matches(field.pattern, raw))
    return wrong(t('This value does not have the expected format.'));
  return right(raw);
}

// The address syntax of HTML's own email control, with a dot in the domain as mail needs one.
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i;

function instant(field: TextField, raw: string): Checked {
  const { default: preset } = field;
  // The control shows no more than seconds and no offset: an untouched default goes back as it came.
  if (typeof preset === 'string' && raw === toLocal(preset)) return right(preset);
  const value = toInstant(raw);
  if (!value) return wrong(t('Enter a complete date and time.'));
  // A browser would take the next hour for it, and say nothing.
  return isLeftOut(raw)
    ? wrong(t('This time does not exist on that day because the clocks change. Enter another time.'))
    : right(value);
}

/** A pattern does not say how it is read; one that this engine does not know is for the session to decide. */
function matches(pattern: string, raw: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags).test(raw);
    } catch {
      return flags === '';
    }
  });
}
