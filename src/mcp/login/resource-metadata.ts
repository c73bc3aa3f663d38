import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../http/respond.ts';
import type { CheckedOAuth } from './oauth-options.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where a client reads how to log in (RFC 9728): before the path of the resource. */
export function metadataUrl({ resource }: CheckedOAuth): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/** Answers a request for it, to anybody: it tells no more than where to log in. False for any other request. */
export function serveMetadata(oauth: CheckedOAuth, req: IncomingMessage, res: ServerResponse): boolean {
  const path = req.url?.split('?', 1)[0];
  // Some clients ask at the root, whatever they were told.
  if (path !== new URL(metadataUrl(oauth)).pathname && path !== WELL_KNOWN) return false;
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' };
  if (req.method === 'OPTIONS') {
    res.writeHead(204, { ...headers, 'access-control-allow-headers': 'mcp-protocol-version' }).end();
  } else if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.writeHead(405, { allow: 'GET, HEAD, OPTIONS' }).end();
  } else {
    sendJson(res, 200, bodyOf(oauth), headers);
  }
  return true;
}

function bodyOf({ issuer, resource, resourceName, scopes, toolScopes }: CheckedOAuth): object {
  const all = new Set([...scopes, ...[...toolScopes.values()].flat()]);
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(all.size > 0 ? { scopes_supported: [...all] } : {}),
    ...(resourceName === undefined ? {} : { resource_name: resourceName }),
  };
}
