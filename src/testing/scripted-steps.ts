import { errorData } from '../core/errors/data/error-data.ts';
import { StepError } from '../core/errors/journal-errors.ts';
import type { JsonValue } from '../core/messages/json.ts';
import type { StepDoubles } from '../runtime/session/step-doubles.ts';

/** What steps give in place of their code, by their names, in the order in which they begin; an `Error` is thrown. */
export type ScriptedSteps = Readonly<Record<string, readonly (JsonValue | undefined | Error)[]>>;

/** Steps of a test: one that the script names does nothing, every other runs. */
export function doublesOf(steps: ScriptedSteps): StepDoubles {
  const begun = new Map<string, number>();
  return (name) => {
    const script = Object.hasOwn(steps, name) ? steps[name] : undefined;
    if (!script) return undefined;
    const at = begun.get(name) ?? 0;
    begun.set(name, at + 1);
    if (at >= script.length) {
      const problem = `begins for the ${at + 1}. time, and the test says only ${script.length}: add what it gives to 'steps'`;
      return { ok: false, error: errorData(new StepError(name, problem)) };
    }
    const given = script[at];
    return given instanceof Error ? { ok: false, error: errorData(given) } : { ok: true, result: given };
  };
}
