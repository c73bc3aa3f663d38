import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { ServerParts } from '../host.ts';
import { needsPages, type Publisher, publishedClient, withForms } from '../published/published-client.ts';
import type { WireRequest } from './wire-request.ts';

/** Who answers a caller's calls while no request of its client is open: what is for pages of ours waits until the person can be sent. */
export function absentClient(host: ServerParts, request: WireRequest): Client {
  const capabilities = request.capabilities();
  const absent: Client = {
    name: request.name,
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
  };
  const answering = request.caller.client?.(absent) ?? absent;
  return publisherFor(host, request, answering) ? withForms(answering) : answering;
}

/** Who answers a caller's calls: whom it has for that, with pages of ours where its client has no forms. */
export function answeringFor(host: ServerParts, request: WireRequest, wire: Client): Client {
  const answering = request.caller.client?.(wire) ?? wire;
  const publisher = publisherFor(host, request, answering);
  return publisher ? publishedClient(answering, publisher) : answering;
}

/** Where questions are published that whoever answers cannot be asked otherwise. */
function publisherFor(
  { appPages: pages }: ServerParts,
  { caller, era }: WireRequest,
  answering: Client,
): Publisher | undefined {
  const { published, name: principal } = caller;
  // In the later era a question is the answer to a request: its pages are over whoever answers that.
  if (!published?.origin() || !pages || era !== '2025' || !needsPages(answering.capabilities()))
    return undefined;
  return { published, pages, principal };
}
