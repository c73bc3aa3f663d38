import { makePlugin } from 'parley-mcp';
import { MigrationPlan, TableSizes } from './migrate.view.tsx';
import { migrate } from './tool.ts';

/** How the editor and pages ask what `migrate` wants to know. */
export const migratePlugin = makePlugin(migrate)
  .onElicit({
    *plan({ migrations, tables, script }, ctx) {
      const edited = yield* ctx.render(MigrationPlan, { migrations, tables, script });
      return { action: 'accept', content: { script: edited } };
    },
    *keep({ before, after }, ctx) {
      const keep = yield* ctx.render(TableSizes, { before, after });
      return { action: 'accept', content: { keep } };
    },
  })
  .build();
