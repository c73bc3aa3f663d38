import * as z from 'zod/mini';
import type { JsonValue } from '../../messages/json.ts';
import { isContentBlock } from '../../messages/result-content.ts';
import { defined } from '../../schema/defined.ts';
import { describedAs, type FieldKind } from '../field-kind.ts';
import { common, texts } from './keywords.ts';
import type { StringProperty } from './text.ts';

const limits = z.readonly(z.object({ accept: texts, max: z.number(), maxBytes: z.number() }));

const schema = z.object({
  type: z.literal('string'),
  ...common,
  /** Hint: what it takes. */
  attachment: limits,
  default: z.exactOptional(z.custom<readonly JsonValue[]>(isBlocks)),
});

/** Files. */
export type FilesProperty = Readonly<z.infer<typeof schema>>;

/** Files, as content blocks: other clients have no field for them, and what is written there is no path. */
export const filesKind = {
  schema,
  drawn: 'text',
  compile(node) {
    const taken = limits.safeParse(node.attachment);
    return taken.success ? { type: 'string', attachment: taken.data } : undefined;
  },
  fits: (_, value) => isBlocks(value),
  called: 'list of content blocks',
  wire: ({ title, description }) => ({
    type: 'string',
    description: describedAs(description, 'files cannot be given here: leave it empty'),
    ...defined({ title }),
  }),
  fromWire(value) {
    if (typeof value !== 'string') return value;
    throw new SyntaxError(
      'a text is not read as a file or a path: leave it empty, or answer on a page of Parley',
    );
  },
} satisfies FieldKind<FilesProperty, StringProperty>;

function isBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.every(isContentBlock);
}
