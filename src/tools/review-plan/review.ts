import { type Part, partsOf, withEdits } from './parts.ts';

/** What the person did with the parts, by their first lines. */
export interface GivenReview {
  readonly decision: 'approve' | 'revise';
  readonly comments: readonly (readonly [line: number, comment: string])[];
  readonly edits: readonly (readonly [line: number, text: string])[];
  readonly accepted: readonly number[];
  readonly general: string;
}

/** The answer as a form has it: a comment is `12-14: words`, an accepted part `12-14`. */
export interface ReviewContent {
  readonly decision: 'approve' | 'revise';
  readonly comments?: string[] | undefined;
  readonly accepted?: string[] | undefined;
  readonly general?: string | undefined;
  readonly document?: string | undefined;
}

/** Something said about lines of the document as the agent wrote it. */
export interface Anchored {
  /** From 1; absent for what is about no line. */
  readonly from?: number;
  readonly to?: number;
  /** What stands there. */
  readonly quote?: string;
  readonly comment: string;
}

/** What the view gave, as the answer of the form. */
export function reviewContent(document: string, given: GivenReview): ReviewContent {
  const parts = new Map(partsOf(document).map((part) => [part.from, part]));
  const place = (line: number) => spanOf(parts.get(line) ?? { from: line, to: line });
  const { decision, comments, edits, accepted, general } = given;
  const text = withEdits(document, new Map(edits));
  return {
    decision,
    ...(comments.length > 0 ? { comments: comments.map(([line, said]) => `${place(line)}: ${said}`) } : {}),
    ...(accepted.length > 0 ? { accepted: accepted.map(place) } : {}),
    ...(general.trim() === '' ? {} : { general: general.trim() }),
    ...(text === document ? {} : { document: text }),
  };
}

/** The answer's comments, each with the lines that it is about. */
export function anchored(document: string, comments: readonly string[]): Anchored[] {
  const lines = document.split(/\r\n|\r|\n/);
  return comments.flatMap((text): Anchored[] => {
    const [, first, last = first, said] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*:\s*(.*)$/s.exec(text) ?? [];
    const [from, to] = [Number(first), Number(last)];
    const comment = (said ?? text).trim();
    if (comment === '') return [];
    if (!(from >= 1 && to >= from && from <= lines.length)) return [{ comment: text.trim() }];
    return [{ from, to, quote: lines.slice(from - 1, to).join('\n'), comment }];
  });
}

function spanOf({ from, to }: Pick<Part, 'from' | 'to'>): string {
  return from === to ? String(from) : `${from}-${to}`;
}
