import type { AnyTool } from '../core/tool.ts';
import { askUser } from './ask-user/tool.ts';

/** The shipped tools without what answers their questions: what `package.json` is generated from. No views here. */
export const shippedTools: readonly AnyTool[] = [askUser];
