import type { ViewProps } from 'parley-mcp/webview';
import type { ApprovalAnswer, ApprovalRow } from './questions.ts';

/** What the table shows. */
export type ApprovalTableProps = ViewProps<
  { readonly rows: readonly ApprovalRow[]; readonly offerRest?: number | undefined },
  ApprovalAnswer
>;

export function ApprovalTable({ rows, onRespond }: ApprovalTableProps) {
  return (
    <button type="button" onClick={() => onRespond({ run: rows.map(({ id }) => id) })}>
      Run
    </button>
  );
}
