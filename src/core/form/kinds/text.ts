import * as z from 'zod/mini';
import { type FieldKind, isCount, isString, isTrue, keywordsOf, plainType } from '../field-kind.ts';
import { common, flag, real, words } from './keywords.ts';

/** What a text may have to look like. */
export const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
/** What the person may pick instead of typing its path. */
export const TEXT_PICKS = ['file', 'folder', 'place'] as const;

const schema = z.object({
  type: z.literal('string'),
  ...common,
  minLength: real,
  maxLength: real,
  format: z.exactOptional(z.enum(TEXT_FORMATS)),
  default: words,
  // Hints: several lines, an example in the empty field, a path that is picked, and words about another field's choice.
  multiline: flag,
  placeholder: words,
  pick: z.exactOptional(z.enum(TEXT_PICKS)),
  noteOn: words,
});

/** One field of text. */
export type StringProperty = Readonly<z.infer<typeof schema>>;

/** Text. */
export const textKind = {
  schema,
  drawn: 'text',
  compile(node) {
    if (plainType(node) !== 'string') return undefined;
    if (node.format === 'binary') return 'use attachment(…) for files, or z.string() for a path';
    const format = TEXT_FORMATS.find((known) => known === node.format);
    const pick = TEXT_PICKS.find((known) => known === node.pick);
    return {
      type: 'string',
      ...keywordsOf(node, isCount, 'minLength', 'maxLength'),
      ...(format ? { format } : {}),
      ...keywordsOf(node, isTrue, 'multiline'),
      ...keywordsOf(node, isString, 'placeholder', 'noteOn'),
      ...(pick ? { pick } : {}),
    };
  },
  fits: (_, value) => isString(value),
} satisfies FieldKind<StringProperty>;
