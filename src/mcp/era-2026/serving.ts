import type { ConnectionPages } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import type { AwaitedRequest } from '../request/awaited-request.ts';
import type { Result } from '../request/open-call.ts';
import type { ServerCalls } from './serve-call.ts';

/** A request on its way to its answer. */
export interface Exchange2026 {
  readonly awaited: AwaitedRequest;
  /** Whether a connection is free again once it is answered. */
  readonly holdsConnection: boolean;
  /** Has it answered when the server ends it; without this it is broken off. */
  finish?: (() => void) | undefined;
  /** Tells its client what belongs to it. Resolves when that has read enough to be told more. */
  notify(method: string, params: Result): Promise<void>;
}

/** What the requests of one caller have in common. */
export interface Serving2026 {
  readonly host: ServerParts;
  readonly calls: ServerCalls;
  readonly caller: Caller;
  readonly pages: ConnectionPages | undefined;
  /** Its subscriptions, and the most that there may be. */
  readonly subscriptions: { open: number; readonly most: number };
}
