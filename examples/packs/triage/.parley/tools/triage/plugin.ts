import { makePlugin, view } from 'parley-mcp';
import { triage } from './tool.ts';
import { TriageTable } from './triage.view.tsx';

/** How the editor and pages ask what to send. */
export const triagePlugin = makePlugin(triage)
  .onElicit({
    plan: view(TriageTable, ({ labels, issues, proposals }) => ({ labels, issues, proposals })),
    sent: 'form',
  })
  .build();
