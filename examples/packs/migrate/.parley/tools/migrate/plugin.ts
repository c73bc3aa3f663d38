import { makePlugin, view } from 'parley-mcp';
import { MigrationPlan, TableSizes } from './migrate.view.tsx';
import { migrate } from './tool.ts';

/** How the editor and pages ask what `migrate` wants to know. */
export const migratePlugin = makePlugin(migrate)
  .onElicit({
    plan: view(MigrationPlan, ({ migrations, tables, script }) => ({ migrations, tables, script })),
    keep: view(TableSizes, ({ before, after }) => ({ before, after })),
  })
  .build();
