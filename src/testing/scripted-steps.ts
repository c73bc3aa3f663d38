import { errorData } from '../core/errors/data/error-data.ts';
import { StepError } from '../core/errors/journal-errors.ts';
import type { JsonValue } from '../core/messages/json.ts';
import type { Journal } from '../runtime/journal/lines.ts';
import type { StepDoubles } from '../runtime/session/step-doubles.ts';
import { UnusedDoubleError } from './script.ts';

/**
 * What steps give in place of their code, by their names, in the order in which they begin; an `Error` is thrown. `[]` for a step that is
 * not to begin: it fails if it does. To undo such a step does nothing, but what the script gives by the name `undo NAME`.
 */
export type ScriptedSteps = Readonly<Record<string, readonly (JsonValue | undefined | Error)[]>>;

/** The steps of a test. */
export interface ScriptedDoubles {
  readonly of: StepDoubles;
  /** @throws `UnusedDoubleError` for the first that the script names and that neither began nor stands in the `journal` */
  checkUsed(journal: Journal | undefined): void;
}

/** Steps of a test: one that the script names does nothing, every other runs. */
export function doublesOf(steps: ScriptedSteps): ScriptedDoubles {
  for (const [name, script] of Object.entries(steps)) {
    if (!Array.isArray(script))
      throw new StepError({
        step: name,
        problem: "is not a list in 'steps': say what it gives each time, [ … ]",
      });
  }
  const begun = new Map<string, number>();
  const isUndone = (name: string) => name.startsWith('undo ') && Object.hasOwn(steps, name.slice(5));
  const of: StepDoubles = (name) => {
    const script = Object.hasOwn(steps, name) ? steps[name] : undefined;
    const at = begun.get(name) ?? 0;
    begun.set(name, at + 1);
    // What a double did needs no undoing.
    if (!script) return isUndone(name) ? { ok: true, result: undefined } : undefined;
    if (at >= script.length) {
      const problem = `begins for the ${at + 1}. time, and the test says only ${script.length}: add what it gives to 'steps'`;
      return { ok: false, error: errorData(new StepError({ step: name, problem })) };
    }
    const given = script[at];
    return given instanceof Error ? { ok: false, error: errorData(given) } : { ok: true, result: given };
  };
  return {
    of,
    checkUsed(journal) {
      const before = journal?.lines.flatMap((line) => (line.t === 'step' ? [line.name] : [])) ?? [];
      const known = new Set([...before, ...begun.keys()]);
      const unused = Object.keys(steps).find((name) => !known.has(name) && steps[name]?.length !== 0);
      if (unused !== undefined) throw new UnusedDoubleError('steps', unused, 'step began', known);
    },
  };
}

/** The script of steps for a call that continues a journal: without what those gave that are finished there. */
export function scriptLeft(steps: ScriptedSteps, { lines }: Journal): ScriptedSteps {
  const names = new Map(lines.flatMap((line) => (line.t === 'step' ? [[line.id, line.name]] : [])));
  const finished = lines.flatMap((line) =>
    line.t === 'stepped' || line.t === 'step_failed' ? [names.get(line.id)] : [],
  );
  const left = (name: string) => finished.filter((one) => one === name).length;
  return Object.fromEntries(Object.entries(steps).map(([name, script]) => [name, script.slice(left(name))]));
}
