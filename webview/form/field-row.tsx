import type { FocusEvent } from 'react';
import { Codicon } from '../parts/icon.tsx';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import type { ControlHead, ControlState, NestedField } from './controls/control.ts';
import type { SomeField } from './field/field.ts';
import { fields, kindOfControl } from './kinds.ts';

/** The form that a field is in. */
export interface FormOfRow {
  readonly errors: ReadonlyMap<string, string>;
  readonly disabled: boolean;
  /** The id of the control at a path; label, help and error derive theirs. */
  readonly idOf: (path: string) => string;
  readonly onLeave: (path: string) => void;
}

/** A field: label above, control, help below, and the error where the eye is. */
export function FieldRow(props: NestedField & { readonly form: FormOfRow }) {
  const { field, path, bare = false, form } = props;
  const { isGroup, hint: hintOf, Control } = kindOfControl(field);
  const id = form.idOf(path);
  const error = form.errors.get(path);
  const about = newTo(field.title, field.description);
  const hint = bare ? undefined : newTo(about, hintOf?.(field));
  const help = !bare && (about || hint) ? `${id}-help` : undefined;
  const mark = !bare && field.required && isGroup && `${id}-required`;
  const described = [mark, help, error && `${id}-error`].filter(Boolean).join(' ');
  const head: ControlHead = {
    id,
    'data-control': true,
    'aria-labelledby': `${id}-label`,
    ...(described && { 'aria-describedby': described }),
  };
  const state: ControlState = {
    disabled: form.disabled,
    'aria-required': field.required,
    'aria-invalid': error !== undefined,
  };
  const leave = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) form.onLeave(path);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to what bubbles up from the control
    <div className={`field field-${field.kind} ${error ? 'field-invalid' : ''}`} dir="auto" onBlur={leave}>
      {field.kind !== 'boolean' && <FieldLabel field={field} id={id} bare={bare} />}
      {mark && (
        <span className="visually-hidden" id={mark}>
          {t('required')}
        </span>
      )}
      <Control
        {...props}
        fields={fields}
        head={head}
        state={state}
        draw={(inner) => <FieldRow key={inner.path} form={form} {...inner} />}
      />
      {help && (
        <div className="field-help" id={help}>
          {about && <Markdown inline>{about}</Markdown>}
          {about && hint && ' · '}
          {hint}
        </div>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          <Codicon name="error" /> {error}
        </p>
      )}
    </div>
  );
}

/** A text, unless what stands above it says it already. */
function newTo(above: string | undefined, text: string | undefined): string | undefined {
  return text && above?.toLowerCase().includes(text.toLowerCase()) ? undefined : text;
}

function FieldLabel({ field, id, bare }: { field: SomeField; id: string; bare: boolean }) {
  return (
    <label className={bare ? 'visually-hidden' : 'field-label'} id={`${id}-label`} htmlFor={id}>
      {field.title}
      {field.required && !bare && (
        <span className="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </label>
  );
}
