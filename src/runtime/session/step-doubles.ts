import { callContext } from '../../core/world/call-context.ts';
import type { StepOutcome } from '../journal/step-gate.ts';

/** What a step comes to without its code; nothing for one whose code is to run. */
export type StepDoubles = (name: string) => StepOutcome | undefined;

/** What stands for the steps of calls that are created here; nothing by default. */
export const StepDoublesContext = callContext<StepDoubles | undefined>('parley.step-doubles', undefined);
