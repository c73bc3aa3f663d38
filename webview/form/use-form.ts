import { useCallback, useState } from 'react';
import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { isJsonObject } from '../../src/panel-port/index.ts';
import type { Drafts } from '../page/drafts.ts';
import type { Field, Raw, RawValues } from './field/field.ts';
import { type CheckedForm, validateForm } from './validate-form.ts';

/** What a person has done to a form so far; survives hiding and reloading as a draft. */
interface FormDraft {
  /** Fields that were touched. The others follow their defaults. */
  readonly raw: RawValues;
  /** Fields that were touched and then left: their errors may show. */
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
  leave(name: string): void;
  /** Checks everything; from a failure on, all errors show. */
  check(): CheckedForm;
}

/** The state of a form whose controls hold `initial` at first, kept as a draft in `scope`. */
export function useForm(fields: readonly Field[], initial: RawValues, drafts: Drafts, scope: string): Form {
  const [draft, setDraft] = useState(() => readDraft(drafts.read(scope, 'form')));
  const raw = { ...initial, ...draft.raw };
  const result = validateForm(fields, raw);

  const update = useCallback(
    (change: (draft: FormDraft) => FormDraft) => {
      setDraft((before) => {
        const next = change(before);
        drafts.write(scope, 'form', toJson(next));
        return next;
      });
    },
    [drafts, scope],
  );

  return {
    raw,
    errors: result.ok ? new Map() : visible(result.errors, draft),
    change: (name, value) => update((form) => ({ ...form, raw: { ...form.raw, [name]: value } })),
    leave: (name) =>
      update((form) =>
        form.left.includes(name) || !Object.hasOwn(form.raw, name)
          ? form
          : { ...form, left: [...form.left, name] },
      ),
    check: () => {
      if (!result.ok) update((form) => ({ ...form, checked: true }));
      return result;
    },
  };
}

function visible(errors: ReadonlyMap<string, string>, draft: FormDraft): ReadonlyMap<string, string> {
  if (draft.checked) return errors;
  return new Map([...errors].filter(([name]) => draft.left.includes(name)));
}

function toJson({ raw, left, checked }: FormDraft): JsonObject {
  const touched = Object.entries(raw).filter((entry): entry is [string, Exclude<Raw, undefined>] => {
    return entry[1] !== undefined;
  });
  return { raw: Object.fromEntries(touched), left, checked };
}

function readDraft(stored: JsonValue | undefined): FormDraft {
  const draft = isJsonObject(stored) ? stored : {};
  const raw = isJsonObject(draft.raw) ? Object.entries(draft.raw).filter(isRawEntry) : [];
  const left = Array.isArray(draft.left) ? draft.left.filter((name) => typeof name === 'string') : [];
  return { raw: Object.fromEntries(raw), left, checked: draft.checked === true };
}

function isRawEntry(entry: [string, JsonValue | undefined]): entry is [string, string | boolean | string[]] {
  const [, value] = entry;
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean';
}
