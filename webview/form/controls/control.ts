import type { ReactNode } from 'react';
import type { Raw, SomeField } from '../field/field.ts';
import type { Fields } from '../field/fields.ts';

/** What the element that takes the keyboard is told, whatever it is: spread into it. */
export interface ControlHead {
  readonly id: string;
  readonly 'data-control': true;
  readonly 'aria-labelledby': string;
  readonly 'aria-describedby'?: string;
}

/** What is known about the answer, for controls that may say it: groups may not. */
export interface ControlState {
  readonly disabled: boolean;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
}

/** What every control takes. Its head is written once, in `field-row.tsx`. */
export interface ControlProps<Of extends SomeField = SomeField> {
  readonly field: Of;
  readonly head: ControlHead;
  readonly state: ControlState;
  readonly raw: Raw;
  readonly onChange: (raw: Raw) => void;
}

/** A control's text; nothing touched is the empty text. */
export function shownText(raw: Raw): string {
  return typeof raw === 'string' ? raw : '';
}

/** A field inside another. `bare` is without a label of its own to see. */
export interface NestedField {
  readonly field: SomeField;
  readonly path: string;
  readonly raw: Raw;
  readonly bare?: boolean;
  readonly onChange: (raw: Raw) => void;
}

/** What controls take that hold other fields. */
export interface NestedProps<Of extends SomeField = SomeField> extends ControlProps<Of> {
  readonly path: string;
  readonly fields: Fields;
  readonly draw: (nested: NestedField) => ReactNode;
}
