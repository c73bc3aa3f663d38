import { makePlugin } from '../core/plugin/make-plugin.ts';
import type { Plugin } from '../core/plugin/plugin.ts';
import { ApprovalTable } from './approval/approval-table.view.tsx';
import type { ExecuteCode } from './execute-code.ts';

/** `execute_code` where views are shown: what changes something is one table there. */
export function executeCodePlugin(tool: ExecuteCode): Plugin<ExecuteCode> {
  return makePlugin(tool)
    .onElicit({
      *approveCalls({ rows, code, offerRest }, ctx) {
        const content = yield* ctx.render(ApprovalTable, { rows, code, offerRest });
        return { action: 'accept', content };
      },
    })
    .build();
}
