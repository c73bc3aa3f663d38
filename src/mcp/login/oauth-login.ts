import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../core/schema/is-object.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';
import type { GuardVerdict } from '../http/guard.ts';
import { sendJson } from '../http/respond.ts';
import { bearerOf } from '../http/token.ts';
import { type CheckedOAuth, checkOAuth, type OAuthOptions } from './oauth-options.ts';
import { createTokenCheck } from './token-subject.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where a client reads how to log in (RFC 9728): before the path of the resource. */
function metadataUrl({ resource }: CheckedOAuth): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`;
}

/** Answers a request for it, to anybody: it tells no more than where to log in. False for any other request. */
function serveMetadata(oauth: CheckedOAuth, req: IncomingMessage, res: ServerResponse): boolean {
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

/** Lets in who has a token of an authorization server. */
export interface OAuthLogin<P> {
  /** Who comes with these headers; `Host` and `Origin` have been looked at. */
  letIn(headers: IncomingHttpHeaders): Promise<GuardVerdict<P & { readonly name: string }>>;
  /** Answers a request for how to log in. False for any other. */
  metadata(req: IncomingMessage, res: ServerResponse): boolean;
}

/** Subjects that are remembered: each has what the server keeps of a caller. */
const REMEMBERED = 10_000;

/**
 * Makes the login of a protected resource (RFC 9728): a token is checked with each request, and its scopes with each call of a tool.
 *
 * @param made the caller of a name
 * @param report hears why tokens cannot be checked
 * @throws `TypeError` for options that cannot be
 */
export function createOAuthLogin<P>(
  options: OAuthOptions,
  made: (name: string) => P & { readonly name: string },
  report: (message: string, cause: unknown) => void,
): OAuthLogin<P> {
  const oauth = checkOAuth(options);
  const check = createTokenCheck(oauth);
  const callers = new Map<string, P & { readonly name: string }>();
  let isSaid = false;
  const where = `resource_metadata="${metadataUrl(oauth)}"`;

  const callerOf = (name: string) => {
    const caller = callers.get(name) ?? made(name);
    keepLast(callers, [name, caller], REMEMBERED);
    return caller;
  };

  const unauthorized = (error: string): GuardVerdict<P & { readonly name: string }> => ({
    ok: false,
    status: 401,
    message: 'Unauthorized: log in at the authorization server of this resource',
    headers: { 'www-authenticate': challenge(error, oauth.scopes) },
  });
  const challenge = (error: string, scopes: readonly string[]) =>
    `Bearer ${[error, where, scopes.length > 0 ? `scope="${scopes.join(' ')}"` : ''].filter(Boolean).join(', ')}`;

  /** What a token lacks for a request is what its client asks the authorization server for next, with what it has. */
  const lacking = (has: ReadonlySet<string>, needed: readonly string[]) => {
    if (needed.every((scope) => has.has(scope))) return undefined;
    const scopes = [...new Set([...oauth.scopes, ...needed])];
    return {
      status: 403 as const,
      message: `Forbidden: this needs the scope ${needed.filter((scope) => !has.has(scope)).join(' ')}`,
      headers: { 'www-authenticate': challenge('error="insufficient_scope"', scopes) },
    };
  };

  return {
    async letIn({ authorization }) {
      const token = bearerOf(authorization);
      if (token === undefined) return unauthorized('');
      const checked = await check(token);
      if (checked.type === 'bad') {
        // The issuer's own tokens alone have a reason: said once, it is for who set this up.
        if (checked.why !== undefined && !isSaid) report('a token is not taken', checked.why);
        isSaid ||= checked.why !== undefined;
        return unauthorized('error="invalid_token"');
      }
      if (checked.type === 'unknown') {
        report('tokens cannot be checked', checked.cause);
        const message = 'Service Unavailable: the authorization server cannot be reached, try again later';
        return { ok: false, status: 503, message, headers: { 'retry-after': '5' } };
      }
      const { name, scopes } = checked.subject;
      const refused = lacking(scopes, oauth.scopes);
      if (refused) return { ok: false, ...refused };
      return {
        ok: true,
        principal: callerOf(name),
        refuses: (body) =>
          lacking(
            scopes,
            toolsIn(body).flatMap((tool) => oauth.toolScopes.get(tool) ?? []),
          ),
      };
    },
    metadata: (req, res) => serveMetadata(oauth, req, res),
  };
}

/** The tools that a request calls. */
function toolsIn(body: unknown): readonly string[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return [];
    return typeof message.params.name === 'string' ? [message.params.name] : [];
  });
}
