/** The tools that come with Parley. Load it with `import()`: nothing of it is needed to activate. */
import type { AnyPlugin } from '../core/plugin/plugin.ts';
import { askUserPlugin } from './ask-user/plugin.ts';
import { commitChangesPlugin } from './commit-changes/plugin.ts';
import { reviewPlanPlugin } from './review-plan/plugin.ts';

export { createFirstTool } from './first-tool/tool.ts';

/** Every shipped tool with its handlers; `definitions.ts` lists the same tools, in the same order. */
export const shippedPlugins: readonly AnyPlugin[] = [askUserPlugin, commitChangesPlugin, reviewPlanPlugin];
