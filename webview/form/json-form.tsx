import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { JsonObject } from '../../src/core/messages/json.ts';
import { Button } from '../parts/button.tsx';
import { focusControl } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { SUBMIT_KEYS } from '../parts/platform.ts';
import { FieldRow } from './field-row.tsx';
import { type ReadJson, readForForm, readParameters } from './json-text.ts';
import type { JsonField } from './kinds/json.tsx';
import type { Field } from './kinds.ts';
import { onEnter } from './on-enter.ts';

/** What {@link JsonForm} takes. */
export interface JsonFormProps {
  readonly field: JsonField;
  /** The fields of the form that this stands for. */
  readonly fields: readonly Field[];
  readonly text: string;
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: (content: JsonObject) => void;
  /** Back to the form, which is to show these. */
  readonly onForm: (values: JsonObject) => void;
  /** The panel's own buttons, to stand beside Submit. */
  readonly children?: ReactNode;
}

/** A whole form as JSON: one text, checked as the form is. */
export function JsonForm(props: JsonFormProps) {
  const { field, fields, text, submitLabel, pending, onChange, onSubmit, onForm, children } = props;
  const id = useId();
  const [refused, setRefused] = useState<{ readonly error: string }>();

  useEffect(() => {
    if (refused) focusControl(document.getElementById(id));
  }, [refused, id]);

  const take = (read: ReadJson, then: (values: JsonObject) => void): void => {
    if (pending) return;
    if (read.ok) then(read.values);
    else setRefused({ error: read.error });
  };
  const submit = (): void => take(readParameters(field, fields, text), onSubmit);

  return (
    <form
      className="form"
      noValidate
      aria-busy={pending}
      onKeyDownCapture={(event) => onEnter(event, { submit, goOn: submit })}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="form-field" data-field={field.name}>
        <FieldRow
          form={{
            errors: new Map(refused ? [[field.name, refused.error]] : []),
            disabled: pending,
            idOf: () => id,
            onLeave: () => {},
          }}
          field={field}
          path={field.name}
          raw={text}
          onChange={(raw) => {
            if (refused) setRefused(undefined);
            if (typeof raw === 'string') onChange(raw);
          }}
        />
      </div>
      <div className="buttons">
        <Button type="submit" disabled={pending} title={`${submitLabel} (${SUBMIT_KEYS})`}>
          {pending ? t('Sending…') : submitLabel}
        </Button>
        <Button secondary disabled={pending} onClick={() => take(readForForm(field, fields, text), onForm)}>
          {t('Back to the Form')}
        </Button>
        {children}
      </div>
    </form>
  );
}
