import { callContext } from '../../core/world/call-context.ts';

/** How a step that was run ended: `withdrawn` when the tool's code let go of it. */
export type StepEnding = 'done' | 'failed' | 'withdrawn';

/** Told of the steps of a call that are run, in order; not of those that a replay knows the outcome of. */
export interface StepWatch {
  began(id: string): void;
  ended(id: string, how: StepEnding): void;
}

/** Who watches the steps of calls that are created here; nobody by default. */
export const StepWatchContext = callContext<StepWatch | undefined>('parley.step-watch', undefined);
