import type { Raw } from '../field/field.ts';

/** What every control takes beside its field. */
export interface ControlProps {
  readonly ids: { readonly control: string; readonly label: string };
  /** Ids of the help and error texts that there are. */
  readonly describedBy: readonly string[];
  readonly raw: Raw;
  readonly invalid: boolean;
  readonly disabled: boolean;
  readonly onChange: (raw: Raw) => void;
}

/** A control's text; nothing touched is the empty text. */
export function textOf(raw: Raw): string {
  return typeof raw === 'string' ? raw : '';
}

/** The `aria-describedby` of a control in the page's own tree. */
export function describedBy(ids: readonly string[]): { 'aria-describedby'?: string } {
  return ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {};
}
