import type { AnyTool } from '../core/tool/tool.ts';
import { askUser } from './ask-user/tool.ts';
import { commitChanges } from './commit-changes/tool.ts';
import { reviewPlan } from './review-plan/tool.ts';

/** The shipped tools without what answers their questions: what `package.json` is generated from. No views here. */
export const shippedTools: readonly AnyTool[] = [askUser, commitChanges, reviewPlan];
