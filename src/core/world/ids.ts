import type { Operation } from 'effection';
import { callContext } from './call-context.ts';

/** Makes ids. Tests hand in one that counts. */
export interface Ids {
  /** A new id that begins with the prefix: `call_1f0c…`. */
  next(prefix: string): string;
}

const randomIds: Ids = { next: (prefix) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}` };

/** Where new ids come from. Random unless a test sets another. */
export const IdsContext = callContext<Ids>('parley.ids', randomIds);

/** A new id that begins with the prefix. */
export function* nextId(prefix: string): Operation<string> {
  return (yield* IdsContext.expect()).next(prefix);
}
