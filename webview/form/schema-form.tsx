import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FormJsonSchema } from '../../src/core/form/form-schema.ts';
import type { JsonObject, JsonSchema } from '../../src/core/messages/json.ts';
import { usePage } from '../page/page-context.ts';
import { Button } from '../parts/button.tsx';
import { focusControl, nextEmpty } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { SUBMIT_KEYS } from '../parts/platform.ts';
import { useStrayGuard } from '../stage/use-stray-guard.ts';
import { ErrorSummary } from './error-summary.tsx';
import { isBlank, topOf } from './field/field.ts';
import { FieldRow, type FormOfRow } from './field-row.tsx';
import { pagesOf, withNotes } from './form-pages.ts';
import { type Field, fieldsOf, initialRaw } from './kinds.ts';
import { onEnter } from './on-enter.ts';
import { useForm } from './use-form.ts';

/**
 * The value, but while a mouse button is down the one from before. A field is left when the pointer goes down on something
 * else; an error line that appeared at once would move that something away before the pointer is up again, and the press
 * would be lost.
 */
function useSteady<T>(value: T): T {
  const [pressed, setPressed] = useState(false);
  const kept = useRef(value);
  if (!pressed) kept.current = value;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = (): void => setPressed(true);
    const release = (): void => {
      clearTimeout(timer);
      setPressed(false);
    };
    // The click follows its `mouseup` in the same task; a press that ends elsewhere has none.
    const lift = (): void => {
      timer = setTimeout(release);
    };
    const listeners = { mousedown: press, mouseup: lift, dragend: release };
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
    // On the way up: drawn anew before React has heard of the click, a radio button would forget that it was chosen.
    addEventListener('click', release);
    addEventListener('blur', release);
    return () => {
      clearTimeout(timer);
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
      removeEventListener('click', release);
      removeEventListener('blur', release);
    };
  }, []);

  return kept.current;
}

/** Up to so many fields speak for themselves: the keyboard goes to the first, and nothing moves. */
const FEW = 3;

/** More than so many that must be filled in are counted. */
const MANY_REQUIRED = 8;

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

/** A form for a schema: every field of a page at once, errors where they are, one Submit. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, values, scope, submitLabel, pending, onSubmit, children } = props;
  const id = useId();
  const page = usePage();
  const fields = useMemo(() => fieldsOf({ ...schema }), [schema]);
  const initial = useMemo(() => initialRaw(fields, values), [fields, values]);
  const pages = useMemo(() => pagesOf(fields), [fields]);
  const form = useForm(fields, initial, page.drafts, scope);
  const errors = useSteady(form.errors);
  const summary = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const current = pages[at] ?? pages[0];
  const last = at >= pages.length - 1;
  // A new object for each submit that failed; `many` decides whether there is a summary until the next one.
  const [failure, setFailure] = useState<{ readonly first: string; readonly many: boolean }>();
  // A new object for each turn of a page.
  const [turned, setTurned] = useState<object>();
  const top = useRef<HTMLHeadingElement>(null);
  const guard = useStrayGuard(String(at));

  const idOf = (path: string): string => `${id}-${encodeURIComponent(path)}`;
  const focusField = (path: string): void => focusControl(document.getElementById(idOf(path)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a failure is the reason to run
  useEffect(() => {
    if (failure?.many) summary.current?.focus();
    else if (failure) focusField(failure.first);
  }, [failure]);
  useEffect(() => {
    if (turned) top.current?.focus();
  }, [turned]);

  const show = (to: number): void => {
    setAt(to);
    setFailure(undefined);
    setTurned({});
  };
  const fail = (wrong: readonly string[]): void => {
    const [first = ''] = wrong;
    setAt(
      Math.max(
        0,
        pages.findIndex(({ fields: on }) => on.some(({ name }) => name === topOf(first))),
      ),
    );
    setFailure({ first, many: wrong.length > FEW });
  };
  const submit = (): void => {
    if (pending) return;
    const checked = form.check();
    if (checked.ok) onSubmit(checked.content);
    else fail([...checked.errors.keys()]);
  };
  /** On to the next page, if this one is right. */
  const next = (): void => {
    const names = new Set(current?.fields.map(({ name }) => name));
    const wrong = form.wrong().filter((path) => names.has(topOf(path)));
    for (const path of wrong) form.touch(path);
    if (wrong.length > 0) fail(wrong);
    else show(at + 1);
  };
  const goOn = (from: Element): void => {
    const empty = nextEmpty(from);
    if (empty) focusControl(empty);
    else if (last) submit();
    else next();
  };

  const press = last ? submit : next;

  const row: FormOfRow = { errors, disabled: pending, idOf, onLeave: form.leave };
  const drawn = (field: Field, bare = false) => (
    <FieldRow
      key={field.name}
      form={row}
      field={field}
      path={field.name}
      raw={form.raw[field.name]}
      bare={bare}
      onChange={(raw) => form.change(field.name, raw)}
    />
  );
  const shown = current?.fields ?? [];
  // A tick always has an answer, and no star.
  const required = fields.filter((field) => field.required && field.kind !== 'boolean');
  const filled = required.filter(({ name }) => !isBlank(form.raw[name]));

  return (
    <form
      className="form"
      noValidate
      aria-busy={pending}
      onClickCapture={guard.onClickCapture}
      onKeyDownCapture={(event) => {
        guard.onKeyDownCapture(event);
        if (!event.isPropagationStopped()) onEnter(event, { submit: press, goOn });
      }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        press();
      }}
    >
      {shown.some((field) => required.includes(field)) && (
        <p className="form-note">
          <span className="required">*</span> {t('required')}
        </p>
      )}
      {pages.length > 1 && (
        <h3 className="form-page" ref={top} tabIndex={-1}>
          <span className="muted">{t('{0} of {1}', at + 1, pages.length)}</span> {current?.title}
        </h3>
      )}
      {failure?.many && errors.size > 0 && (
        <ErrorSummary ref={summary} fields={fields} errors={errors} onPick={focusField} />
      )}
      {withNotes(shown).map(({ field, notes }) => (
        <div className="form-field" data-field={field.name} key={field.name}>
          {drawn(field)}
          {notes.map((note) => (
            <details className="note" key={note.name} open={!isBlank(form.raw[note.name])}>
              <summary>{note.title}</summary>
              {drawn(note, true)}
            </details>
          ))}
        </div>
      ))}
      <div className="buttons">
        {last ? (
          <Button type="submit" disabled={pending} title={`${submitLabel} (${SUBMIT_KEYS})`}>
            {pending ? t('Sending…') : submitLabel}
          </Button>
        ) : (
          <Button key="next" type="submit" disabled={pending}>
            {t('Next')}
          </Button>
        )}
        {at > 0 && (
          <Button
            key="back"
            secondary
            className="button-back"
            disabled={pending}
            onClick={() => show(at - 1)}
          >
            {t('Back')}
          </Button>
        )}
        {required.length > MANY_REQUIRED && (
          <span className="muted">{t('{0} of {1} required', filled.length, required.length)}</span>
        )}
        {children}
      </div>
    </form>
  );
}
