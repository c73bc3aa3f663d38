import type { Schema } from '../../core/schema/schema.ts';

/**
 * Stands for a schema that stays in the realm of the tool. It lets everything pass: what it is about is checked there, with
 * the original.
 */
export const unseenSchema: Schema = {
  '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value }) },
};
