import { useCallback, useRef, useState } from 'react';
import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import type { Drafts } from '../page/drafts.ts';
import { type Raw, type RawValues, topOf } from './field/field.ts';
import type { Field } from './kinds.ts';
import { type CheckedForm, validateForm } from './validate-form.ts';

/** What a person has done to a form so far; survives hiding and reloading as a draft. */
interface FormDraft {
  /** Fields that were touched. The others follow their defaults. */
  readonly raw: RawValues;
  /** Paths of fields that were touched and then left: their errors may show. */
  readonly left: readonly string[];
  /** A submit has failed once: all errors may show. */
  readonly checked: boolean;
}

/** A form's state. */
export interface Form {
  readonly raw: RawValues;
  /** The errors to show now: nothing is wrong yet with a field that is being typed in for the first time. */
  readonly errors: ReadonlyMap<string, string>;
  change(name: string, raw: Raw): void;
  leave(path: string): void;
  /** The error at a path may show from now on, whether the field was touched or not. */
  touch(path: string): void;
  /** Paths of everything that is wrong now. */
  wrong(): readonly string[];
  /** Checks everything; from a failure on, all errors show. */
  check(): CheckedForm;
}

/** The state of a form whose controls hold `initial` at first, kept as a draft in `scope`. */
export function useForm(fields: readonly Field[], initial: RawValues, drafts: Drafts, scope: string): Form {
  const [draft, setDraft] = useState(() => readDraft(drafts.read(scope, 'form')));
  // Ahead of what is drawn: what is put in may come together with the key that sends it.
  const latest = useRef(draft);
  const raw = { ...initial, ...draft.raw };
  const result = validateForm(fields, raw);
  const resultNow = () =>
    latest.current === draft ? result : validateForm(fields, { ...initial, ...latest.current.raw });

  const update = useCallback(
    (change: (draft: FormDraft) => FormDraft) => {
      const next = change(latest.current);
      latest.current = next;
      drafts.write(scope, 'form', toJson(next));
      setDraft(next);
    },
    [drafts, scope],
  );

  return {
    raw,
    errors: result.ok ? new Map() : visible(result.errors, draft),
    change: (name, value) => update((form) => ({ ...form, raw: { ...form.raw, [name]: value } })),
    leave: (path) =>
      update((form) =>
        form.left.includes(path) || !Object.hasOwn(form.raw, topOf(path))
          ? form
          : { ...form, left: [...form.left, path] },
      ),
    touch: (path) =>
      update((form) => (form.left.includes(path) ? form : { ...form, left: [...form.left, path] })),
    wrong: () => {
      const now = resultNow();
      return now.ok ? [] : [...now.errors.keys()];
    },
    check: () => {
      const now = resultNow();
      if (!now.ok) update((form) => ({ ...form, checked: true }));
      return now;
    },
  };
}

/** What a person has put into the form of a scope so far, by field. */
export function typedBefore(drafts: Drafts, scope: string): RawValues {
  return rawIn(drafts.read(scope, 'form'));
}

/** What a form's draft has of what was put in, by field. */
export function rawIn(draft: unknown): RawValues {
  return readDraft(draft).raw;
}

/** The form of a scope begins anew when it is drawn next. */
export function forgetTyped(drafts: Drafts, scope: string): void {
  drafts.write(scope, 'form', {});
}

function visible(errors: ReadonlyMap<string, string>, draft: FormDraft): ReadonlyMap<string, string> {
  if (draft.checked) return errors;
  return new Map([...errors].filter(([path]) => draft.left.includes(path)));
}

function toJson({ raw, left, checked }: FormDraft): JsonObject {
  return { raw: withoutUndefined(raw), left, checked };
}

/** Members that are undefined are dropped; texts, which may be long, are not copied. */
function withoutUndefined(raw: object): JsonObject {
  const entries = Object.entries(raw).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, jsonOf(value)]));
}

function jsonOf(raw: Exclude<Raw, undefined>): JsonValue {
  if (Array.isArray(raw)) return raw.map((one) => (one === undefined ? null : jsonOf(one)));
  return typeof raw === 'object' ? withoutUndefined(raw) : raw;
}

function readDraft(stored: unknown): FormDraft {
  const draft = isJsonObject(stored) ? stored : {};
  const raw = isJsonObject(draft.raw) ? Object.entries(draft.raw) : [];
  const left = Array.isArray(draft.left) ? draft.left.filter((path) => typeof path === 'string') : [];
  return {
    raw: Object.fromEntries(raw.flatMap(([name, value]) => (isRaw(value) ? [[name, value]] : []))),
    left,
    checked: draft.checked === true,
  };
}

function isRaw(value: unknown): value is Raw {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isRaw);
  return typeof value === 'string' || typeof value === 'boolean';
}
