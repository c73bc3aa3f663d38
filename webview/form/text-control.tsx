import { type FormEvent, useRef } from 'react';
import type { TextElement } from '../elements.ts';
import { type ControlProps, textOf } from './control.ts';
import { INCOMPLETE, type TextField } from './field.ts';
import { useInnerAria } from './use-inner-aria.ts';

const TYPES = { date: 'date', 'date-time': 'datetime-local' } as const;
const MODES = { email: 'email', uri: 'url' } as const;

/** Text on one line or several, and days and times with the browser's own picker. */
export function TextControl({
  field,
  ids,
  describedBy,
  raw,
  invalid,
  disabled,
  onChange,
}: ControlProps & { field: TextField }) {
  const { format } = field;
  const ref = useRef<TextElement>(null);
  const picker = format === 'date' || format === 'date-time' ? TYPES[format] : undefined;
  // Email and address are plain text to the browser: its own checks would complain while the first letters are typed.
  const inputMode = format === 'email' || format === 'uri' ? MODES[format] : undefined;
  useInnerAria(ref, { describedBy, invalid, required: field.required, inputMode });

  const shared = {
    id: ids.control,
    className: 'control',
    label: field.title,
    invalid,
    disabled,
    'data-control': true,
    onInput: (event: FormEvent<TextElement>) => onChange(typed(event.currentTarget)),
  };
  if (isLong(field)) {
    return (
      <vscode-textarea
        ref={ref as React.RefObject<never>}
        {...shared}
        rows={4}
        resize="vertical"
        value={textOf(raw)}
      />
    );
  }
  // A half-typed date has no text that could be put back.
  const value = raw === INCOMPLETE ? '' : textOf(raw);
  return (
    <vscode-textfield
      ref={ref as React.RefObject<never>}
      {...shared}
      type={picker ?? 'text'}
      {...(picker === 'datetime-local' && value.length > 16 && { step: 1 })}
      value={value}
    />
  );
}

function typed(element: TextElement): string {
  const control = element.wrappedElement;
  return control.value === '' && control.validity.badInput ? INCOMPLETE : control.value;
}

/** The restricted schema has no word for several lines; a long limit or a default of several lines says it. */
function isLong({ format, minLength = 0, maxLength = 0, default: preset }: TextField): boolean {
  if (format) return false;
  return maxLength >= 200 || minLength >= 80 || (typeof preset === 'string' && /\n|.{80}/.test(preset));
}
