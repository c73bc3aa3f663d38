/** What a builder carries beside its steps: its author is told when it is exported without its end. */
export interface Unended {
  readonly kind: 'parley.builder';
  /** `tool 'book'`. */
  readonly of: string;
  /** The steps that end it. */
  readonly end: string;
}

/** The mark of a builder. */
export function unended(of: string, end: string): Unended {
  return { kind: 'parley.builder', of, end };
}

/** Whether a value is a builder that was not ended, of whichever copy of Parley. */
export function isUnended(value: unknown): value is Unended {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'parley.builder';
}
