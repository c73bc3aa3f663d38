/** What kind of thing is wrong; says which ways there are to mend it. */
export type ProblemKind =
  /** The file cannot be read as TypeScript, an import leads nowhere, a name is not exported. */
  | 'build'
  /** The file threw while it was loaded. */
  | 'load'
  /** A tool or plugin in it is defined wrongly. */
  | 'definition'
  /** Another tool of the same name wins. */
  | 'duplicate'
  /** A verb of a context is called without `yield*`, and does nothing. */
  | 'forgotten'
  /** Code that builds, and does something else than its author means. */
  | 'slip'
  /** Nothing is wrong: the file is loaded when it is first needed. */
  | 'waiting';

/** Something wrong with a tool's source, where its author can see it. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly severity: 'error' | 'warning' | 'info';
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** How much of the line is meant; 0 where that is not known. */
  readonly length: number;
  readonly message: string;
  /** Other places that have to do with it, as for a duplicate name. */
  readonly related?: readonly RelatedLocation[];
}

/** A place in an author's file; line and column from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Another place that a problem points at. */
export interface RelatedLocation extends SourceLocation {
  readonly message: string;
}

/** Whether two lists say the same. */
export function sameProblems(a: readonly Problem[], b: readonly Problem[]): boolean {
  return a.length === b.length && a.every((problem, index) => textOf(problem) === textOf(b[index]));
}

function textOf(problem: Problem | undefined): string {
  return JSON.stringify(problem) ?? '';
}
