import type { VscodeTextarea } from '@vscode-elements/elements/dist/vscode-textarea/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { type FormEvent, useRef } from 'react';
import type { TextElement } from '../../parts/elements.ts';
import type { TextField } from '../field/field.ts';
import { type ControlProps, textOf } from './control.ts';
import { DateControl } from './date-control.tsx';
import { useInnerAria } from './use-inner-aria.ts';

type Props = ControlProps & { field: TextField };

/** Text on one line or several; days and times have a control of their own. */
export function TextControl(props: Props) {
  const { format } = props.field;
  if (format === 'date' || format === 'date-time') return <DateControl {...props} />;
  return isLong(props.field) ? <Lines {...props} /> : <Line {...props} />;
}

// Email and address are plain text to the browser: its own checks would complain while the first letters are typed.
const MODES = { email: 'email', uri: 'url' } as const;

function Line(props: Props) {
  const { format } = props.field;
  const ref = useRef<VscodeTextfield>(null);
  const inputMode = format === 'email' || format === 'uri' ? MODES[format] : undefined;
  useInnerAria(ref, { ...props, required: props.field.required, inputMode });
  return <vscode-textfield ref={ref} {...shared(props)} />;
}

function Lines(props: Props) {
  const ref = useRef<VscodeTextarea>(null);
  useInnerAria(ref, { ...props, required: props.field.required });
  return <vscode-textarea ref={ref} {...shared(props)} rows={4} resize="vertical" />;
}

function shared({ field, ids, raw, invalid, disabled, onChange }: Props) {
  return {
    id: ids.control,
    className: 'control',
    'data-control': true,
    label: field.title,
    invalid,
    disabled,
    value: textOf(raw),
    onInput: (event: FormEvent<TextElement>) => onChange(event.currentTarget.wrappedElement.value),
  };
}

/** The restricted schema has no word for several lines; a long limit or a default of several lines says it. */
function isLong({ format, minLength = 0, maxLength = 0, default: preset }: TextField): boolean {
  if (format) return false;
  return maxLength >= 200 || minLength >= 80 || (typeof preset === 'string' && /\n|.{80}/.test(preset));
}
