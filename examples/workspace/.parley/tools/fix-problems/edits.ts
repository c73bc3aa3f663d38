import type { Position, TextEdit } from 'parley-mcp/editor';
import * as z from 'zod';

/** One edit that the model proposes: a stretch of the file as it stands there, and what shall stand there. */
const proposal = z.object({
  find: z
    .string()
    .min(1)
    .max(20_000)
    .describe('A part of the file, copied exactly, whole lines where possible. Must occur exactly once.'),
  replace: z.string().max(20_000).describe('The replacement; empty to delete the part.'),
  why: z.string().min(1).max(300).describe('Which problem this fixes and how, in one sentence.'),
});

/** One edit that the model proposes. */
export type Proposal = z.infer<typeof proposal>;

/**
 * What the model may answer about a file with this text: an answer that does not fit the text is not valid, so the model
 * is told and tries again.
 */
export function proposalsFor(text: string) {
  return z
    .object({
      edits: z
        .array(proposal)
        .max(50)
        .describe('The edits, in any order; they may not overlap. Empty when nothing can be fixed safely.'),
    })
    .superRefine(({ edits }, context) => {
      for (const [at, problem] of problemsOf(edits, text)) {
        context.addIssue({ code: 'custom', path: ['edits', at, 'find'], message: problem });
      }
    });
}

function problemsOf(edits: readonly Proposal[], text: string): [at: number, problem: string][] {
  const problems: [number, string][] = [];
  const taken: { readonly from: number; readonly to: number }[] = [];
  for (const [at, { find, replace }] of edits.entries()) {
    const from = text.indexOf(find);
    const to = from + find.length;
    if (from < 0) problems.push([at, 'is not in the file: copy it exactly, with its spaces']);
    else if (text.indexOf(find, from + 1) >= 0)
      problems.push([at, 'is in the file more than once: take more lines around it']);
    else if (find === replace) problems.push([at, 'and "replace" are the same: leave this edit out']);
    else if (taken.some((other) => from < other.to && other.from < to))
      problems.push([at, 'overlaps another edit: make one of the two']);
    else taken.push({ from, to });
  }
  return problems;
}

/** An edit of a file, from top to bottom, with why it is made. */
export interface ProposedEdit extends TextEdit {
  readonly why: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** The edits behind valid proposals, from top to bottom. `text` has `\n` at its line ends. */
export function editsOf(uri: string, text: string, proposals: readonly Proposal[]): ProposedEdit[] {
  return proposals
    .map(({ find, replace, why }) => {
      const from = text.indexOf(find);
      const to = from + find.length;
      const range = { start: positionOf(text, from), end: positionOf(text, to) };
      return { uri, range, text: replace, why, from, to };
    })
    .sort((a, b) => a.from - b.from);
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return { line, character: offset - (before.lastIndexOf('\n') + 1) };
}
