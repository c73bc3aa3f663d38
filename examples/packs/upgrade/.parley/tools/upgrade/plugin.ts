import { makePlugin } from 'parley-mcp';
import { upgradeDependencies } from './tool.ts';
import { Outcomes, OutdatedTable } from './upgrade.view.tsx';

/** How the editor and pages ask what to upgrade, and what to keep. */
export const upgradeDependenciesPlugin = makePlugin(upgradeDependencies)
  .onElicit({
    *plan({ outdated }, ctx) {
      const upgrades = yield* ctx.render(OutdatedTable, { outdated });
      return { action: 'accept', content: { upgrades: [...upgrades] } };
    },
    *keep({ outcomes }, ctx) {
      const keep = yield* ctx.render(Outcomes, { outcomes });
      return { action: 'accept', content: { keep } };
    },
  })
  .build();
