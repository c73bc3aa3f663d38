import type { JsonValue } from '../../../src/core/messages/json.ts';
import { t } from '../../parts/l10n.ts';
import { checkJson } from './check-json.ts';
import { absent, type Checked, right, wrong } from './checked.ts';
import { isDate, isLeftOut, toInstant, toLocal } from './dates.ts';
import {
  type Field,
  type JsonField,
  type MultiField,
  type NumberField,
  ownWords,
  type Raw,
  type SingleField,
  type TextField,
} from './field.ts';
import { numberOf } from './number-of.ts';
import { group, list, record } from './validate-nested.ts';

/**
 * What a field answers for what its control holds. Courtesy, not security: the session checks the answer with the
 * original zod schema, and asks again where the two disagree.
 */
export function validateField(field: Field, raw: Raw): Checked {
  switch (field.kind) {
    case 'boolean':
      return typeof raw === 'boolean' ? right(raw) : field.required ? right(false) : absent;
    case 'multi':
      return multi(field, Array.isArray(raw) ? raw : undefined);
    case 'single':
      return single(field, raw);
    case 'string':
      return text(field, typeof raw === 'string' ? raw : '', raw !== undefined);
    case 'number':
    case 'integer':
      return numeric(field, typeof raw === 'string' ? raw.trim() : '');
    case 'json':
      return json(field, typeof raw === 'string' ? raw.trim() : '');
    case 'list':
      return list(field, raw, validateField);
    case 'group':
      return group(field, raw, validateField);
    case 'record':
      return record(field, raw, validateField);
  }
}

function empty(field: Field, error: string): Checked {
  if (!field.required) return absent;
  return field.nullable ? right(null) : wrong(error);
}

function single(field: SingleField, raw: Raw): Checked {
  const chosen = field.choices.find((choice) => choice.id === raw);
  const own = field.other ? ownWords(raw)?.trim() : undefined;
  if (own) return right(own);
  return chosen ? right(chosen.value) : empty(field, t('Choose one.'));
}

function multi(field: MultiField, raw: readonly Raw[] | undefined): Checked {
  const among = field.choices.filter((choice) => raw?.includes(choice.id));
  const chosen = field.ordered ? (raw ?? []).flatMap((id) => among.filter((one) => one.id === id)) : among;
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  // Emptied by hand, an optional field says “none” where that is allowed, and nothing where it is not.
  if (chosen.length === 0 && !field.required && (raw === undefined || minItems > 0)) return absent;
  if (chosen.length < minItems) {
    return wrong(minItems === 1 ? t('Choose at least one.') : t('Choose at least {0}.', minItems));
  }
  if (chosen.length > maxItems) {
    return wrong(maxItems === 1 ? t('Choose only one.') : t('Choose at most {0}.', maxItems));
  }
  return right(chosen.map((choice) => choice.value));
}

function text(field: TextField, raw: string, touched: boolean): Checked {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  if (raw === '') {
    // Clearing a default means “empty”: left out, the default would come back on the other side.
    const cleared = touched && field.default !== undefined && !format && minLength === 0 && !field.pattern;
    return cleared ? right('') : empty(field, t('{0} is required.', field.title));
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

function numeric(field: NumberField, raw: string): Checked {
  if (raw === '')
    return empty(field, field.kind === 'integer' ? t('Enter a whole number.') : t('Enter a number.'));
  const value = numberOf(raw);
  if (!Number.isFinite(value)) {
    return wrong(
      field.kind === 'integer' ? t('Enter a whole number, such as 3.') : t('Enter a number, such as 1.5.'),
    );
  }
  if (field.kind === 'integer' && !Number.isInteger(value)) return wrong(t('Enter a whole number.'));
  if (field.minimum !== undefined && value < field.minimum)
    return wrong(t('Enter {0} or more.', field.minimum));
  if (field.maximum !== undefined && value > field.maximum)
    return wrong(t('Enter {0} or less.', field.maximum));
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return wrong(t('Enter more than {0}.', exclusiveMinimum));
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return wrong(t('Enter less than {0}.', exclusiveMaximum));
  }
  if (multipleOf && !isMultiple(value, multipleOf)) return wrong(t('Enter a multiple of {0}.', multipleOf));
  return right(Object.is(value, -0) ? 0 : value);
}

function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function json(field: JsonField, raw: string): Checked {
  if (raw === '') return empty(field, t('{0} is required.', field.title));
  let value: JsonValue;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return wrong(t('This is not JSON: {0}', error instanceof Error ? error.message : String(error)));
  }
  const problem = checkJson(field.schema, value);
  return problem ? wrong(problem) : right(value);
}
