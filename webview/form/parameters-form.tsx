import { useEffect, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import type { Drafts } from '../page/drafts.ts';
import { usePage } from '../page/page-context.ts';
import { Button } from '../parts/button.tsx';
import { focusControl } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { JsonForm } from './json-form.tsx';
import { asJsonField, isLossy } from './json-text.ts';
import { fieldsOf, initialRaw, typedIn } from './kinds.ts';
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx';
import { forgetTyped, typedBefore } from './use-form.ts';

/** How a person fills in parameters; kept as a draft beside what is in the form. */
interface Editing {
  /** The JSON; absent while the form is shown. */
  readonly text?: string;
  /** What the JSON was when the form was left. */
  readonly left?: string;
  /** What came from JSON, in the place of what was filled in at first. */
  readonly values?: JsonObject;
}

/** The parameters of a tool: a form, or the same as JSON. */
export function ParametersForm(props: SchemaFormProps) {
  const { schema, scope, pending, children } = props;
  const { drafts } = usePage();
  const fields = useMemo(() => fieldsOf({ ...schema }), [schema]);
  const field = useMemo(() => asJsonField(schema), [schema]);
  /** JSON at first, where the form would lose some of what is filled in. */
  const firstEditing = (given: JsonObject = {}): Editing =>
    isLossy(field, fields, given) ? { text: JSON.stringify(given, null, 2) } : {};
  const [editing, setEditing] = useState(() => readEditing(drafts, scope) ?? firstEditing(props.values));
  const values = editing.values ?? props.values;
  const region = useRef<HTMLDivElement>(null);
  // A new object for each change between the form and JSON: the button that had the keyboard is gone.
  const [changed, setChanged] = useState<object>();

  useEffect(() => {
    if (changed) focusControl(region.current?.querySelector('[data-control]'));
  }, [changed]);

  const edit = (next: Editing): void => {
    drafts.write(scope, 'json', { ...next });
    setEditing(next);
  };
  const toJson = (): void => {
    const typed = typedIn(fields, { ...initialRaw(fields, values), ...typedBefore(drafts, scope) });
    const text = Object.keys(typed).length === 0 ? '' : JSON.stringify(typed, null, 2);
    edit({ ...editing, text, left: text });
    setChanged({});
  };
  const toForm = (read: JsonObject): void => {
    const { text, left, ...rest } = editing;
    // Untouched, it is the form that was left, with the errors that it showed.
    if (text !== left) forgetTyped(drafts, scope);
    edit(text === left ? rest : { values: read });
    setChanged({});
  };

  return (
    <div ref={region}>
      {editing.text === undefined ? (
        <SchemaForm {...props} values={values}>
          {fields.length > 0 && (
            <Button secondary disabled={pending} onClick={toJson}>
              {t('Edit as JSON')}
            </Button>
          )}
          {children}
        </SchemaForm>
      ) : (
        <JsonForm
          {...props}
          field={field}
          fields={fields}
          text={editing.text}
          onChange={(text) => edit({ ...editing, text })}
          onForm={toForm}
        />
      )}
    </div>
  );
}

function readEditing(drafts: Drafts, scope: string): Editing | undefined {
  const stored = drafts.read(scope, 'json');
  if (!isJsonObject(stored)) return undefined;
  const { text, left, values } = stored;
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof left === 'string' && { left }),
    ...(isJsonObject(values) && { values }),
  };
}
