import { INCOMPLETE } from '../field/field.ts';
import { type ControlProps, shownText } from './control.ts';
import { PathControl } from './path-control.tsx';
import { TextArea } from './text-area.tsx';
import type { TextField } from './text-field.ts';
import { TextLine } from './text-line.tsx';

/** A day or a moment with the browser's own picker. */
function DateControl({ field, head, state, raw, onChange }: ControlProps<TextField>) {
  // A half-typed date has no text that could be put back.
  const value = raw === INCOMPLETE ? '' : shownText(raw);
  return (
    <input
      {...head}
      {...state}
      className="input input-short"
      type={field.format === 'date' ? 'date' : 'datetime-local'}
      step={value.length > 16 && field.format === 'date-time' ? 1 : undefined}
      value={value}
      onInput={({ currentTarget }) => onChange(typed(currentTarget))}
      // React tells of text only; that a date became incomplete, or empty again, shows when it is left.
      onBlur={({ currentTarget }) => {
        const now = typed(currentTarget);
        if (now !== shownText(raw)) onChange(now);
      }}
    />
  );
}

function typed(control: HTMLInputElement): string {
  return control.value === '' && control.validity.badInput ? INCOMPLETE : control.value;
}

/** Text on one line, on a line that grows, or on several; days and times have a control of their own. */
export function TextControl(props: ControlProps<TextField>) {
  const { field, head, state, raw, onChange } = props;
  if (field.format === 'date' || field.format === 'date-time') return <DateControl {...props} />;
  if (field.pick) return <PathControl {...props} what={field.pick} />;
  const shared = { ...head, ...state, dir: 'auto', placeholder: field.placeholder, value: shownText(raw) };
  const lines = linesOf(field);
  return lines === 'one' ? (
    <TextLine
      {...shared}
      // Email and address are plain text to the browser: its own checks would complain while the first letters are typed.
      inputMode={field.format && MODES[field.format]}
      onChange={onChange}
    />
  ) : (
    <TextArea
      {...shared}
      rows={lines === 'several' ? 4 : 1}
      // In a line that grows Enter goes on, as in a line that does not.
      data-enter={lines === 'several' ? undefined : 'on'}
      onChange={onChange}
    />
  );
}

const MODES = { email: 'email', uri: 'url', date: undefined, 'date-time': undefined } as const;

/** An author says `multiline`; without that, what may be long has room, and what has no end grows. */
function linesOf({ format, pattern, multiline, ...field }: TextField): 'one' | 'growing' | 'several' {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, default: preset } = field;
  if (format || multiline === false) return 'one';
  if (multiline || minLength >= 80 || (typeof preset === 'string' && /\n|.{80}/.test(preset)))
    return 'several';
  if (maxLength === Number.POSITIVE_INFINITY) return pattern ? 'one' : 'growing';
  if (maxLength >= 1000) return 'several';
  return maxLength >= 200 ? 'growing' : 'one';
}
