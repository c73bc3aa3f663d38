import * as z from 'zod/mini';
import { type FieldKind, plainType } from '../field-kind.ts';
import { common, flag } from './keywords.ts';

const schema = z.object({ type: z.literal('boolean'), ...common, default: flag });

/** Yes or no. */
export const yesNoKind = {
  schema,
  compile: (node) => (plainType(node) === 'boolean' ? { type: 'boolean' } : undefined),
  fits: (_, value) => typeof value === 'boolean',
} satisfies FieldKind<Readonly<z.infer<typeof schema>>>;
