/** The shipped tools that need no editor: what `parley-mcp` alone serves. */
import type { AnyPlugin } from '../core/plugin/plugin.ts';
import type { AnyTool } from '../core/tool/tool.ts';
import { approve } from './approve/tool.ts';
import { askUser } from './ask-user/tool.ts';
import { reviewPlanPlugin } from './review-plan/plugin.ts';
import { show } from './show/tool.ts';

/**
 * Two of them are not among the editor's: its chat shows diffs, tables and pictures, and approves edits, by itself; a model that
 * has two ways chooses the wrong one.
 */
export const toolsAnywhere: readonly (AnyTool | AnyPlugin)[] = [askUser, reviewPlanPlugin, approve, show];
