import type { Preview } from './kinds/choices.ts';

/**
 * What `.meta({ … })` knows of a field of a question. Other keys stay legal, for other libraries have their own.
 * `| undefined`: zod's own keys may be that, too.
 */
export interface FieldMeta {
  /** Begins a page of the form. */
  page?: string | undefined;
  /** A text: an example of it. */
  placeholder?: string | undefined;
  /** A text: it has several lines. */
  multiline?: boolean | undefined;
  /** A text: what can be picked for it. */
  pick?: 'file' | 'folder' | 'place' | undefined;
  /** An enum: the names of its choices. */
  enumNames?: readonly string[] | undefined;
  /** A literal: this choice is recommended. */
  recommended?: boolean | undefined;
  /** A literal: what shows this choice. */
  preview?: (Omit<Preview, 'language'> & { readonly language?: string | undefined }) | undefined;
  /** Several choices: their order is the person's preference. */
  ordered?: boolean | undefined;
  /** The whole object: the verb on the button. */
  action?: string | undefined;
  /** The whole object: `false` leaves Cancel as the only “no”. */
  decline?: boolean | undefined;
}

declare module 'zod' {
  interface GlobalMeta extends FieldMeta {}
}
