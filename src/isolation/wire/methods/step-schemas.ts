import * as z from 'zod/mini';
import type { StepOutcome, StepTurn } from '../../../runtime/journal/step-gate.ts';
import { asItCame, errorDataSchema, json } from './shared-schemas.ts';

/** What a step came to. */
export const stepOutcome = asItCame<StepOutcome>(
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), result: z.optional(json) }),
    z.strictObject({ ok: z.literal(false), error: errorDataSchema }),
  ]),
);

/** How a step goes on. */
export const stepTurn = asItCame<StepTurn>(
  z.discriminatedUnion('run', [
    z.strictObject({ id: z.string(), run: z.literal(true), attempt: z.int() }),
    z.strictObject({ id: z.string(), run: z.literal(false), outcome: stepOutcome }),
  ]),
);
