import * as z from 'zod/mini';
import { type FieldKind, isString, plainType } from '../field-kind.ts';
import { common, flag } from './keywords.ts';

const schema = z.object({ type: z.literal('boolean'), ...common, default: flag });

/** Yes or no. */
export const yesNoKind = {
  schema,
  drawn: 'yesNo',
  compile: (node) => (plainType(node) === 'boolean' ? { type: 'boolean' } : undefined),
  fits: (_, value) => typeof value === 'boolean',
  fromWire: (value) => {
    const said = isString(value) ? value.trim().toLowerCase() : undefined;
    if (said === 'true' || said === 'yes') return true;
    return said === 'false' || said === 'no' ? false : value;
  },
} satisfies FieldKind<Readonly<z.infer<typeof schema>>>;
