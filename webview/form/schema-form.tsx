import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FormJsonSchema } from '../../src/core/form/form-schema.ts';
import type { JsonObject, JsonSchema } from '../../src/core/messages/json.ts';
import { usePage } from '../page/page-context.ts';
import { focusControl } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { SUBMIT_KEYS } from '../parts/platform.ts';
import { ErrorSummary } from './error-summary.tsx';
import { fieldsOf } from './field/fields-of.ts';
import { initialRaw } from './field/raw-of.ts';
import { FieldRow } from './field-row.tsx';
import { useForm } from './use-form.ts';
import { useSteady } from './use-steady.ts';

/** Up to so many fields speak for themselves: the keyboard goes to the first, and nothing moves. */
const FEW = 3;

/** What {@link SchemaForm} takes. */
export interface SchemaFormProps {
  readonly schema: FormJsonSchema | JsonSchema;
  /** Filled in at first, over the schema's defaults. */
  readonly values?: JsonObject | undefined;
  /** Where its draft is kept: the same through all attempts of a question. */
  readonly scope: string;
  readonly submitLabel: string;
  /** An answer is on its way: nothing more can be sent. */
  readonly pending: boolean;
  readonly onSubmit: (content: JsonObject) => void;
  /** The panel's own buttons, to stand beside Submit. */
  readonly children?: ReactNode;
}

/** A form for a schema: every field at once, errors where they are, one Submit. */
export function SchemaForm({
  schema,
  values,
  scope,
  submitLabel,
  pending,
  onSubmit,
  children,
}: SchemaFormProps) {
  const id = useId();
  const page = usePage();
  const fields = useMemo(() => fieldsOf({ ...schema }), [schema]);
  const initial = useMemo(() => initialRaw(fields, values), [fields, values]);
  const form = useForm(fields, initial, page.drafts, scope);
  const errors = useSteady(form.errors);
  const element = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  // A new object for each submit that failed; `many` decides whether there is a summary until the next one.
  const [failure, setFailure] = useState<{ readonly first: string; readonly many: boolean }>();

  const focusField = (name: string): void =>
    focusControl(element.current?.querySelector(`#${CSS.escape(fieldId(name))}`));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure is the reason to run
  useEffect(() => {
    if (failure?.many) summary.current?.focus();
    else if (failure) focusField(failure.first);
  }, [failure]);

  const submit = (): void => {
    if (pending) return;
    const checked = form.check();
    if (checked.ok) onSubmit(checked.content);
    else setFailure({ first: firstOf(checked.errors), many: checked.errors.size > FEW });
  };

  /*
   * Enter alone answers only where there is nothing else to fill in; a form must not go off halfway. Caught on the way
   * down, because text fields submit on every Enter by themselves, even on the one that ends a composition.
   */
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) {
      if (event.key === 'Enter') event.stopPropagation();
      return;
    }
    const submits = event.ctrlKey || event.metaKey;
    if (!submits && keepsEnter(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (submits || fields.length === 1) submit();
  };

  const fieldId = (name: string): string => `${id}-${fields.findIndex((field) => field.name === name)}`;

  return (
    <form
      ref={element}
      className="form"
      noValidate
      aria-busy={pending}
      onKeyDownCapture={onKeyDownCapture}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {failure?.many && errors.size > 0 && (
        <ErrorSummary ref={summary} fields={fields} errors={errors} onPick={focusField} />
      )}
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          id={fieldId(field.name)}
          field={field}
          raw={form.raw[field.name]}
          error={errors.get(field.name)}
          disabled={pending}
          onChange={(raw) => form.change(field.name, raw)}
          onLeave={() => form.leave(field.name)}
        />
      ))}
      <div className="buttons">
        {/* A tick always has an answer, and no star. */}
        {fields.some((field) => field.required && field.kind !== 'boolean') && (
          <span className="buttons-note">
            <span className="required">*</span> {t('required')}
          </span>
        )}
        <vscode-button type="submit" disabled={pending} title={`${submitLabel} (${SUBMIT_KEYS})`}>
          {pending ? t('Sending…') : submitLabel} <kbd>{SUBMIT_KEYS}</kbd>
        </vscode-button>
        {children}
      </div>
    </form>
  );
}

function firstOf(errors: ReadonlyMap<string, string>): string {
  const [first = ''] = errors.keys();
  return first;
}

/** Elements in which Enter alone has a meaning of its own. */
function keepsEnter(target: EventTarget): boolean {
  return (
    target instanceof Element && target.matches('vscode-button, vscode-textarea, button, a, select, summary')
  );
}
