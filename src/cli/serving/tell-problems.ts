import { isParleyError } from '../../core/errors/errors.ts';
import { say } from '../terminal-text.ts';

/** Most causes that are remembered: a store that finds new words each time must not fill the memory. */
const REMEMBERED = 1_000;

/**
 * Tells the operator about errors outside of a request. That calls are not kept as asked is always said, once for each
 * cause; everything else is for who looks for it, with `all`.
 */
export function tellProblems(
  all: boolean,
  tell: (message: string, cause?: unknown) => void = say,
): (message: string, cause?: unknown, about?: 'state' | 'request') => void {
  const told = new Set<string>();
  return (message, cause, about) => {
    if (about === 'state' && !all) {
      const why = causeOf(cause) ?? message;
      if (told.has(why) || told.size >= REMEMBERED) return;
      told.add(why);
    } else if (!all) return;
    tell(message, cause);
  };
}

/** The same for what fails for the same reason, however often and wherever it is noticed. */
function causeOf(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  if (isParleyError(cause)) return `${cause.code} ${cause.message}`;
  return cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause);
}
