import { type ControlProps, shownText } from './control.ts';
import { DateControl } from './date-control.tsx';
import { PathControl } from './path-control.tsx';
import { TextArea } from './text-area.tsx';
import type { TextField } from './text-field.ts';
import { TextLine } from './text-line.tsx';

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
