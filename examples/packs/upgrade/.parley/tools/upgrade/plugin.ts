import { makePlugin, view } from 'parley-mcp';
import { upgradeDependencies } from './tool.ts';
import { Outcomes, OutdatedTable } from './upgrade.view.tsx';

/** How the editor and pages ask what to upgrade, and what to keep. */
export const upgradeDependenciesPlugin = makePlugin(upgradeDependencies)
  .onElicit({
    plan: view(OutdatedTable, ({ outdated }) => ({ outdated })),
    keep: view(Outcomes, ({ outcomes }) => ({ outcomes })),
  })
  .build();
