import type { Client } from '../runtime/session/client.ts';
import type { AppPages } from './apps/pages.ts';
import type { Served } from './catalog/catalog.ts';
import type { Principal } from './http/guard.ts';

/** Who calls, and what this server is for them. */
export interface Caller extends Principal {
  /** Tools that this caller sees; all by default. */
  readonly offers?: (served: Served) => boolean;
  /** Pages on which this caller's calls are asked, where its client shows pages. */
  readonly apps?: AppPages;
  /** Who answers this caller's calls, given the client at the other end of the wire; that client by default. */
  readonly client?: (wire: Client) => Client;
}
