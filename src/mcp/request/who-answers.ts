import type { Operation } from 'effection';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { canAnswer, modesOf } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import { inConversation } from '../apps/in-conversation.ts';
import { profileOf } from '../clients/profile.ts';
import type { ServerParts } from '../host.ts';
import { LinkedPages } from '../published/linked-pages.ts';
import { chooseSurfaces, type PersonSurface } from './choose-surfaces.ts';
import { withForms, withPage, withPages } from './on-pages.ts';
import type { Callable } from './open-call.ts';
import type { WireRequest } from './wire-request.ts';
import { type PersonClient, withPerson } from './with-person.ts';

/** Who answers a request's call, and where they are asked, in order. */
export interface WhoAnswers {
  readonly surfaces: readonly PersonSurface[];
  /** Who answers what its requests bring: whom the caller has for that, with whoever is asked where these cannot be. */
  readonly rest: Client;
  /** The same while a request attends to it, with the pages that ask then. */
  readonly client: Client;
  /** Ends when nobody but a page in the conversation can be asked, and none is there. */
  readonly stranded?: Operation<void>;
  /** Where a client that opens pages has its questions as links. */
  readonly links?: LinkedPages;
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
  const surface = besideApps(surfaces());
  if (surface === 'page' && host.early) return withPage(client, host.early.asking(request));
  return surface === 'link' && request.era === '2025' ? withForms(client) : client;
}

/** Who asks the person what the client of a task has answered by itself; nobody where there is no page. */
export function personBeside({ early }: ServerParts, request: WireRequest): PersonClient | undefined {
  return early?.isThere && !request.caller.client ? early.person(request) : undefined;
}

/** What whoever would answer a call of a tool can do, and whether a page of this process would ask them. */
export function listedFor(host: ServerParts, request: WireRequest, wire: Client) {
  const { client, surfaces } = chosen(host, request, wire);
  const has = client.capabilities();
  const capabilities = (tool: AnyTool): ClientCapabilities =>
    surfaces(undefined, tool).length > 0 ? withPages(has) : has;
  return { capabilities, isOnPage: besideApps(surfaces()) === 'page' };
}

/**
 * Who answers a request's call.
 *
 * @param unasked what its client has answered by itself, though only a person may
 * @param tell says to the person where they are asked
 */
export function answeringFor(
  host: ServerParts,
  request: WireRequest,
  callable: Callable,
  wire: Client,
  unasked: ReadonlySet<string>,
  tell: (message: string) => void,
): WhoAnswers {
  const { client, surfaces: all } = chosen(host, request, wire);
  const surfaces = all(callable);
  const [first] = surfaces;
  const { early, appPages: pages } = host;
  const { published, name: principal } = request.caller;
  if (first === 'page' && early) {
    const rest = withPage(client, early.present(client.name));
    return { surfaces, rest, client: rest };
  }
  let rest = client;
  if (surfaces.includes('page') && early) rest = withPerson(client, early.person(request, tell), unasked);
  else if (besideApps(surfaces) === 'link' && published && pages) {
    const links = new LinkedPages(client, { published, pages, principal });
    if (request.era === '2026' && first === 'link')
      return { surfaces, rest: withForms(client), client: links.client, links };
    if (request.era === '2025') rest = links.client;
  }
  if (first !== 'app' || !pages) return { surfaces, rest, client: rest };
  return { surfaces, rest, ...inConversation(rest, pages, request.clientInfo) };
}

/** Whether a tool says that it asks the person. */
export function declaresQuestions({ def }: AnyTool): boolean {
  return Object.keys(def.elicits).length > 0 || modesOf(def.requires.elicitation).form === true;
}

/** Where a call is asked whose client shows no page in its conversation. */
export function besideApps(surfaces: readonly PersonSurface[]): PersonSurface | undefined {
  return surfaces.find((surface) => surface !== 'app');
}

/** Whom a caller has for its calls, and where they can be asked: by a call, or by one that nobody has made yet. */
function chosen(host: ServerParts, request: WireRequest, wire: Client) {
  const { caller, clientInfo, apps } = request;
  const client = caller.client?.(wire) ?? wire;
  const has = client.capabilities();
  const { appPages: pages, early } = host;
  const app = pages?.slow.isSilent(clientInfo) === false;
  const links =
    pages !== undefined && profileOf(clientInfo).url !== false && caller.published?.origin() !== undefined;
  const page = early?.isThere === true && caller.client === undefined;
  const surfaces = (callable?: Callable, tool = callable?.tool): readonly PersonSurface[] =>
    chooseSurfaces(undefined, has, {
      app: app && isTool(callable) && apps?.asks(callable?.name) === true,
      links: links && !(tool && isTask(host, request, tool)),
      page,
    });
  return { client, surfaces };
}

function isTool(callable: Callable | undefined): boolean {
  return callable === undefined || callable.method === 'tools/call';
}

/** Whether calls go on without a request, which links cannot: those of tools that may ask do so only where they have to. */
function isTask(host: ServerParts, { era, takesTasks }: WireRequest, tool: AnyTool): boolean {
  const { task } = tool.def;
  if (era !== '2026' || !takesTasks || !host.tasks || !task) return false;
  return task.required === true || !declaresQuestions(tool);
}
