import { filesIn, nameOfFile } from '../../core/form/attached.ts';
import type { Attachment } from '../../core/form/attachment.ts';
import type { AskedField } from './field.ts';
import { noteName } from './form-of.ts';

type Answer = string | number | boolean | string[];

/** What the model is told: the answers, what was written beside them, and what was left empty. */
export interface SortedAnswers {
  readonly answers: Record<string, Answer>;
  readonly notes?: Record<string, string>;
  readonly unanswered?: string[];
  /** What the user gave: content beside the answers, which have the names. */
  readonly attachments?: { readonly [field: string]: unknown; type: string }[];
}

/** Sorts what the person filled in by what the model asked for. */
export function sorted(
  fields: readonly AskedField[],
  content: Readonly<Record<string, Answer | Attachment[] | undefined>>,
): SortedAnswers {
  const given = (name: string): Answer | undefined => {
    const own = Object.hasOwn(content, name) ? content[name] : undefined;
    const given = filesIn(own);
    const value = given.length > 0 ? given.map(nameOfFile) : (own as Answer | undefined);
    return value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
  };
  const answers = fields.flatMap(({ name }) => {
    const value = given(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const notes = fields.flatMap((field) => {
    const note = field.note ? given(noteName(field, fields)) : undefined;
    return typeof note === 'string' ? [[field.name, note] as const] : [];
  });
  const files = filesIn(content);
  const unanswered = fields.map(({ name }) => name).filter((name) => given(name) === undefined);
  return {
    answers: Object.fromEntries(answers),
    ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
    ...(unanswered.length > 0 && { unanswered }),
    ...(files.length > 0 && { attachments: files.map((file) => ({ ...file })) }),
  };
}
