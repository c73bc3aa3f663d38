import type { Bridge, Handshake } from './bridge.ts';

/** What `boot.ts` leaves for the page. */
export interface EarlyApp {
  readonly bridge: Bridge;
  /** The handshake, under way or done. */
  readonly host: Promise<Handshake>;
}

/** What `boot.ts` has begun. @throws where that did not run */
export function takeEarlyApp(): EarlyApp {
  const { parleyEarlyApp } = globalThis as { parleyEarlyApp?: EarlyApp };
  if (!parleyEarlyApp) throw new Error('The page’s first script did not run.');
  return parleyEarlyApp;
}
