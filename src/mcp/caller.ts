import type { Client } from '../runtime/session/client.ts';
import type { AppPages } from './apps/pages.ts';
import type { Served } from './catalog/catalog.ts';
import type { Principal } from './http/guard.ts';
import type { PublishedPages } from './published/published-pages.ts';

/** Who calls, and what this server is for them. */
export interface Caller extends Principal {
  /** Whether anybody may be this caller: what one of them does is not listed to the others. */
  readonly shared?: true;
  /** Tools that this caller sees; all by default. */
  readonly offers?: (served: Served) => boolean;
  /** Hears that it is given its list of tools. */
  readonly onListed?: () => void;
  /** Pages on which this caller's calls are asked, where its client shows pages. */
  readonly apps?: AppPages;
  /** Where its questions are published, for a client that opens pages and has no forms. */
  readonly published?: PublishedPages;
  /** Who answers this caller's calls, given the client at the other end of the wire; that client by default. */
  readonly client?: (wire: Client) => Client;
}
