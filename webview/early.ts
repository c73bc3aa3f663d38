import type { VsCodeApi } from './page/port.ts';

/** What `boot.ts` leaves for the page. */
export interface Early {
  readonly api: VsCodeApi;
  /** Ends the keeping; returns the messages that came so far. */
  take(): readonly unknown[];
}

/** What `boot.ts` has begun. @throws where that did not run */
export function takeEarly(): Early {
  const { parleyEarly } = globalThis as { parleyEarly?: Early };
  if (!parleyEarly) throw new Error('The run panel’s first script did not run.');
  return parleyEarly;
}
