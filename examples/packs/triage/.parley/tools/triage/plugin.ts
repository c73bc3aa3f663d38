import { makePlugin } from 'parley-mcp';
import { triage } from './tool.ts';
import { TriageTable } from './triage.view.tsx';

/** How the editor and pages ask what to send. */
export const triagePlugin = makePlugin(triage)
  .onElicit({
    *plan({ labels, issues, proposals }, ctx) {
      const rows = yield* ctx.render(TriageTable, { labels, issues, proposals });
      return { action: 'accept', content: { rows: [...rows] } };
    },
    sent: 'form',
  })
  .build();
