import { RewindRefusedError } from '../../core/errors/journal-errors.ts';
import { type Counted, effectiveLines } from './effective.ts';
import type { JournalLine, LineOf } from './lines.ts';

/** A step to take back, with what it came to. */
export interface StepToUndo {
  readonly id: string;
  readonly name: string;
  readonly result: LineOf<'stepped'>['result'];
}

/** What going back to a question takes. */
export interface RewindPlan {
  /** How many lines of the journal go on counting. */
  readonly keep: number;
  /** In this order: the last step first. */
  readonly undo: readonly StepToUndo[];
}

/** What it takes to go back to a question. @throws `RewindRefusedError`, naming the step that cannot be taken back */
export function planRewind(lines: readonly JournalLine[], askId: string): RewindPlan {
  const counted = effectiveLines(lines);
  const at = counted.findIndex(({ line }) => line.t === 'open' && line.id === askId);
  const found = counted[at];
  if (found?.line.t !== 'open' || found.line.kind !== 'elicit') {
    throw new RewindRefusedError({ askId, problem: 'the question is not in this call' });
  }
  const steps = stepsIn(counted);
  const since = counted.slice(at + 1);
  refuseUnderWay(askId, counted, at, steps);
  const undo = since.flatMap(({ line }): StepToUndo[] => {
    const step = line.t === 'stepped' ? steps.get(line.id) : undefined;
    if (line.t !== 'stepped' || !step || step.reads) return [];
    if (!step.undo)
      throw new RewindRefusedError({
        askId,
        problem: `${named(step)}, which ran since then, cannot be undone`,
      });
    return [{ id: line.id, name: step.name, result: line.result }];
  });
  return { keep: found.index, undo: undo.reverse() };
}

/** The steps that a rewind which was cut short has still to take back. */
export function stepsLeft(lines: readonly JournalLine[], ids: readonly string[]): readonly StepToUndo[] {
  return ids.flatMap((id) => {
    const step = lines.find((line) => line.t === 'step' && line.id === id);
    const outcome = lines.find((line) => line.t === 'stepped' && line.id === id);
    if (step?.t !== 'step' || outcome?.t !== 'stepped') return [];
    return [{ id, name: step.name, result: outcome.result }];
  });
}

function stepsIn(counted: readonly Counted[]): ReadonlyMap<string, LineOf<'step'>> {
  return new Map(counted.flatMap(({ line }) => (line.t === 'step' ? [[line.id, line]] : [])));
}

/** Nobody knows what a step that was cut short has done. */
function refuseUnderWay(
  askId: string,
  counted: readonly Counted[],
  at: number,
  steps: ReadonlyMap<string, LineOf<'step'>>,
): void {
  const over = new Set<string>();
  const sent = new Set(counted.flatMap(({ line }) => (line.t === 'step' && line.sent ? [line.id] : [])));
  for (const [index, { line }] of counted.entries()) {
    if (line.t === 'stepped' || line.t === 'step_failed') over.add(line.id);
    if (line.t === 'withdraw' && index < at) over.add(line.id);
  }
  for (const step of steps.values()) {
    if (step.reads || over.has(step.id) || (step.call && !sent.has(step.id))) continue;
    throw new RewindRefusedError({
      askId,
      problem: `${named(step)} was cut short or still runs, and it does not only read`,
    });
  }
}

function named({ name, call }: LineOf<'step'>): string {
  return call ? `the call of '${name}'` : `the step '${name}'`;
}
