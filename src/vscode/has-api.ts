import type { Operation } from 'effection';
import { useLog } from './contexts.ts';

/**
 * Whether an editor has a function of VS Code's, which some editors that are made of it have not. Says in the log what is missing for
 * the lack of it.
 */
export function* hasApi(name: string, present: unknown, lost: string): Operation<boolean> {
  const has = typeof present === 'function';
  if (!has) (yield* useLog()).warn(`This editor has no ${name}: ${lost}.`);
  return has;
}
