import type { StringProperty } from '../../../src/core/form/kinds/text.ts';
import type { Keywords, SomeField } from '../field/field.ts';

/** Free text. */
export interface TextField
  extends SomeField,
    Keywords<
      StringProperty,
      'format' | 'minLength' | 'maxLength' | 'multiline' | 'placeholder' | 'pick' | 'noteOn'
    > {
  readonly kind: 'string';
  /** A regular expression (parameters only). */
  readonly pattern?: string | undefined;
}
