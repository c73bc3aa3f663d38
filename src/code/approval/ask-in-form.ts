import type { Operation } from 'effection';
import * as z from 'zod';
import type { CodeContext } from './questions.ts';
import { type ApprovalWord, type AskedCall, type CallDecision, calledOff } from './word.ts';
import { lineOf, longArguments, messageFor } from './words.ts';

/** Asks in a form that every client can show: a list of the calls, where each can be unticked. */
export function* askInForm(
  ctx: CodeContext,
  calls: readonly AskedCall[],
  offerRest: number | undefined,
): Operation<ApprovalWord | undefined> {
  const answer = yield* ctx.elicit({
    message: messageFor(calls) + longArguments(calls),
    schema: formOf(calls, offerRest),
  });
  if (answer.action !== 'accept') return calledOff(answer.action);
  const { run, rest } = answer.content;
  const ticked = new Set(run);
  const decisions = new Map<number, CallDecision>();
  for (const { id, args } of calls) {
    if (ticked.has(String(id))) decisions.set(id, { kind: 'runs', args, edited: false });
  }
  return { decisions, rest: rest ?? 0 };
}

type Form = z.ZodType<{ run: string[]; rest?: number }>;

function formOf(calls: readonly AskedCall[], offerRest: number | undefined): Form {
  const choices = calls.map((call) => z.literal(String(call.id)).meta({ title: lineOf(call) }));
  // Ticked to begin with, and to be sent: clients leave out a list in which all was unticked, or that they cannot draw.
  const ticked = calls.map(({ id }) => String(id));
  const run = z.array(z.union(choices)).meta({ title: 'Allowed calls', default: ticked });
  if (offerRest === undefined) return z.object({ run });
  const title = `How many more calls of ${calls[0]?.tool.name} may run without asking`;
  return z.object({ run, rest: z.int().min(0).max(1000).default(0).meta({ title }) });
}
