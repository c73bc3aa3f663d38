import type { Operation } from 'effection';
import { titleToDecide } from '../../core/messages/readable-name.ts';
import { shownJson } from '../../core/messages/shown-json.ts';
import { defined } from '../../core/schema/defined.ts';
import { validate } from '../../core/schema/validate.ts';
import type { ApprovalRow, CodeContext, TableAnswer } from './questions.ts';
import { type ApprovalWord, type AskedCall, type CallDecision, calledOff } from './word.ts';
import { messageFor } from './words.ts';

/** Asks in one table, where each row can be unticked and its arguments edited. What does not fit any more is asked again. */
export function* askInTable(
  ctx: CodeContext,
  calls: readonly AskedCall[],
  code: string,
  offerRest: number | undefined,
): Operation<ApprovalWord | undefined> {
  let rows = calls.map(rowOf);
  for (;;) {
    const message = messageFor(calls);
    const answer = yield* ctx.elicit('approveCalls', { message, rows, code, ...defined({ offerRest }) });
    if (answer.action !== 'accept') return calledOff(answer.action);
    const { content } = answer;
    const edits = editsIn(content);
    const decisions = new Map<number, CallDecision>();
    const problems = new Map<string, string>();
    for (const { id, tool, args } of calls) {
      const row = String(id);
      if (!content.run.includes(row)) continue;
      const edit = edits.get(row);
      const checked = edit && (yield* validate(tool.def.parameters.schema, edit.args));
      if (checked && !checked.ok) problems.set(row, checked.problem);
      else decisions.set(id, { kind: 'runs', args: edit ? edit.args : args, edited: edit !== undefined });
    }
    if (problems.size === 0) return { decisions, rest: content.rest ?? 0 };
    rows = rows.map((row) => askedAgain(row, content, edits, problems));
  }
}

function rowOf({ id, tool, args }: AskedCall): ApprovalRow {
  return {
    id: String(id),
    tool: tool.name,
    title: titleToDecide(tool),
    arguments: shownJson(args, 2),
    ticked: true,
    destructive: tool.def.annotations.destructiveHint === true,
  };
}

type Edits = ReadonlyMap<string, { readonly args: unknown }>;

function editsIn({ edits }: TableAnswer): Edits {
  if (edits === undefined) return new Map();
  const given = Object.entries(JSON.parse(edits) as Readonly<Record<string, unknown>>);
  return new Map(given.map(([row, args]) => [row, { args }]));
}

function askedAgain(
  row: ApprovalRow,
  { run }: TableAnswer,
  edits: Edits,
  problems: ReadonlyMap<string, string>,
): ApprovalRow {
  const edit = edits.get(row.id);
  const { problem: _, ...plain } = row;
  return {
    ...plain,
    ...(edit ? { arguments: shownJson(edit.args, 2) } : {}),
    ticked: run.includes(row.id),
    ...defined({ problem: problems.get(row.id) }),
  };
}
