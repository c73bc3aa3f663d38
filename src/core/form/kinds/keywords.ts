import * as z from 'zod/mini';

/** A keyword that says something. */
export const words = z.exactOptional(z.string());
/** A keyword that is a number. */
export const real = z.exactOptional(z.number());
/** A keyword that is set or not. */
export const flag = z.exactOptional(z.boolean());
/** A list of texts. */
export const texts = z.readonly(z.array(z.string()));

/** What every field has. */
export const common = {
  title: words,
  description: words,
  // Hint: the page of a form of several that the field is on, by its heading.
  page: words,
};

/** What every field of several values has. */
export const several = {
  type: z.literal('array'),
  ...common,
  minItems: real,
  maxItems: real,
  default: z.exactOptional(texts),
};
