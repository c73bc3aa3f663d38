import type { Operation } from 'effection';
import { parametersText } from '../../core/messages/parameters-text.ts';
import { askInForm } from './ask-in-form.ts';
import { askInTable } from './ask-in-table.ts';
import type { CodeContext } from './questions.ts';
import type { ApprovalWord, AskedCall, CallDecision } from './word.ts';
import { FORM_CHARACTERS, isReadable } from './words.ts';

/** Rows of one question. In a table one can look about; a form is a list to go through. */
const ROWS = { table: 200, form: 20 };

/** Characters of all arguments in one question: what a person is asked about, the person has to be able to read. */
const CHARACTERS = { table: 400_000, form: FORM_CHARACTERS };

/** Calls in portions that one question can show, in order. */
function inParts<T extends AskedCall>(calls: readonly T[], table: boolean): readonly (readonly T[])[] {
  const where = table ? 'table' : 'form';
  const most = ROWS[where];
  const parts: T[][] = [];
  let room = 0;
  for (const call of calls) {
    const { length: size } = parametersText(call.args);
    const last = parts.at(-1);
    if (!last || last.length >= most || size > room) {
      parts.push([call]);
      room = CHARACTERS[where] - size;
    } else {
      last.push(call);
      room -= size;
    }
  }
  return parts;
}

/** The approvals of one run. */
export interface Approvals {
  /** Whether a call of this tool, as it is, may run by what was said before; counts it. */
  granted(call: Pick<AskedCall, 'tool' | 'about'>): boolean;
  /**
   * Asks about calls together.
   *
   * @returns the word about each, by their ids; `undefined` when the person wants the whole run to end
   */
  decide(calls: readonly AskedCall[]): Operation<ReadonlyMap<number, CallDecision> | undefined>;
}

/** The number that is offered where a loop asks again and again. */
const OFFERED = 100;

const NOBODY = 'No user is available to approve it, and it can make changes: only read-only tools run here.';

const TOO_LONG = 'Its arguments are too long to show to the user for approval. Pass less at once.';

/** Asks in the editor's table where there is an editor, else in a form that any client shows. */
export function createApprovals(ctx: CodeContext, code: string): Approvals {
  const grants = new Map<string, number>();
  let before: string | undefined;

  return {
    granted(call) {
      const key = keyOf(call);
      const left = grants.get(key) ?? 0;
      if (left > 0) grants.set(key, left - 1);
      return left > 0;
    },
    *decide(calls) {
      const { elicitation, editor } = ctx.capabilities;
      if (!elicitation && !editor) {
        return new Map(calls.map(({ id }) => [id, { kind: 'refused', why: NOBODY } as const]));
      }
      const only = onlyTool(calls);
      // A loop that waits for each call: from the second on it may be let go on.
      const offerRest = only !== undefined && only === before ? OFFERED : undefined;
      before = only;
      const decisions = new Map<number, CallDecision>();
      const shown = editor ? calls : calls.filter(isReadable);
      for (const { id } of calls) decisions.set(id, { kind: 'refused', why: TOO_LONG });
      for (const { id } of shown) decisions.delete(id);
      for (const part of inParts(shown, editor !== undefined)) {
        const word: ApprovalWord | undefined = yield* editor
          ? askInTable(ctx, part, code, offerRest)
          : askInForm(ctx, part, offerRest);
        if (!word) return undefined;
        for (const [id, decision] of word.decisions) decisions.set(id, decision);
        if (only !== undefined && word.rest > 0) grants.set(only, word.rest);
      }
      return decisions;
    },
  };
}

/** The tool that all of them call, when it is one. */
function onlyTool(calls: readonly AskedCall[]): string | undefined {
  const [only, ...others] = new Set(calls.map(keyOf));
  return others.length === 0 ? only : undefined;
}

function keyOf({ tool, about }: Pick<AskedCall, 'tool' | 'about'>): string {
  return JSON.stringify([tool.name, about ?? null]);
}
