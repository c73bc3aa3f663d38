import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import { withPage } from '../apps/paged-client.ts';
import { profileOf } from '../clients/profile.ts';
import type { ServerParts } from '../host.ts';
import { publishedClient, withForms } from '../published/published-client.ts';
import { chooseSurfaces, type PersonSurface } from './choose-surfaces.ts';
import type { WireRequest } from './wire-request.ts';
import { type PersonClient, withPerson } from './with-person.ts';

/** Who answers a request's call, and where they are asked, in order. */
export interface WhoAnswers {
  readonly client: Client;
  readonly surfaces: readonly PersonSurface[];
}

/** Who answers a caller's calls while no request of its client is open: what a client would open waits until the person can be sent. */
export function absentClient(host: ServerParts, request: WireRequest): Client {
  const capabilities = request.capabilities();
  const absent: Client = {
    name: request.name,
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
  };
  const { client, surfaces } = chosen(host, request, absent);
  const surface = besideApps(surfaces);
  if (surface === 'page' && host.early) return withPage(client, host.early.asking(request));
  return surface === 'link' && request.era === '2025' ? withForms(client) : client;
}

/** Who asks the person what the client of a task has answered by itself; nobody where there is no page. */
export function personBeside({ early }: ServerParts, request: WireRequest): PersonClient | undefined {
  return early?.isThere && !request.caller.client ? early.person(request) : undefined;
}

/**
 * Who answers a caller's calls: whom it has for that, with a page of ours where that cannot be asked itself, or answers for the person.
 *
 * @param unasked what its client has answered by itself, though only a person may
 * @param tell says to the person where they are asked
 */
export function answeringFor(
  host: ServerParts,
  request: WireRequest,
  wire: Client,
  unasked: ReadonlySet<string> = new Set(),
  tell?: (message: string) => void,
): WhoAnswers {
  const answering = chosen(host, request, wire);
  const { client, surfaces } = answering;
  const { published, name: principal } = request.caller;
  if (surfaces[0] === 'page' && host.early)
    return { surfaces, client: withPage(client, host.early.present(client.name)) };
  if (surfaces.includes('page') && host.early)
    return { surfaces, client: withPerson(client, host.early.person(request, tell), unasked) };
  // In the later era a question is the answer to a request: its pages are over whoever answers that.
  if (besideApps(surfaces) !== 'link' || request.era !== '2025' || !published || !host.appPages)
    return answering;
  return { surfaces, client: publishedClient(client, { published, pages: host.appPages, principal }) };
}

/** Where a call is asked whose client shows no page in its conversation. */
export function besideApps(surfaces: readonly PersonSurface[]): PersonSurface | undefined {
  return surfaces.find((surface) => surface !== 'app');
}

function chosen(host: ServerParts, { caller, clientInfo, showsApps }: WireRequest, wire: Client): WhoAnswers {
  const client = caller.client?.(wire) ?? wire;
  const { apps, url } = profileOf(clientInfo);
  const { appPages: pages, early } = host;
  const surfaces = chooseSurfaces(undefined, client.capabilities(), {
    app: pages !== undefined && showsApps && apps !== false && !pages.slow.isSilent(clientInfo),
    links: pages !== undefined && url !== false && caller.published?.origin() !== undefined,
    page: early?.isThere === true && caller.client === undefined,
  });
  return { client, surfaces };
}
