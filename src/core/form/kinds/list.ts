import * as z from 'zod/mini';
import { defined } from '../../schema/defined.ts';
import { isObject } from '../../schema/is-object.ts';
import { type FieldKind, isCount, isString, keywordsOf, plainType } from '../field-kind.ts';
import { real, several, words } from './keywords.ts';
import type { StringProperty } from './text.ts';

const schema = z.object({
  ...several,
  items: z.readonly(
    z.strictObject({ type: z.literal('string'), minLength: real, maxLength: real, format: words }),
  ),
});

/** Any number of texts. */
export type ListProperty = Readonly<z.infer<typeof schema>>;

/**
 * A list of texts. The protocol has no such field: on the wire it is one text with a line for each, and what a text of it must look like
 * is checked with the author's schema.
 */
export const listKind = {
  schema,
  drawn: 'text',
  compile(node, resolve) {
    if (plainType(node) !== 'array') return undefined;
    const item = isObject(node.items) ? resolve(node.items) : {};
    if (item.type !== 'string' || item.format === 'binary') {
      return 'a list is of texts or of choices: use z.array(z.string()) or z.array(z.enum([…])), or json(schema) for any other';
    }
    return {
      type: 'array',
      ...keywordsOf(node, isCount, 'minItems', 'maxItems'),
      items: {
        type: 'string',
        ...keywordsOf(item, isCount, 'minLength', 'maxLength'),
        ...keywordsOf(item, isString, 'format'),
      },
    };
  },
  fits: (_, value) => Array.isArray(value) && value.every(isString),
  called: 'list of texts',
  wire: ({ title, description, default: preset }) => ({
    type: 'string',
    ...defined({ title, default: preset?.join('\n') }),
    description: description === undefined ? 'One on each line.' : `${description} (one on each line)`,
  }),
  fromWire: (value) => (isString(value) ? linesOf(value) : value),
} satisfies FieldKind<ListProperty, StringProperty>;

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
