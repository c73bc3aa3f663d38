import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../core/page/page-address.ts';
import { bearerOf, sameToken } from './token.ts';

/** Who calls: calls, sessions and waiting calls of one principal are out of reach of the others. */
export interface Principal {
  readonly name: string;
}

/** A bearer token and whose it is. */
export interface TokenAccess<P extends Principal = Principal> {
  readonly token: string;
  readonly principal: P;
}

/** Who may come in. */
export interface GuardOptions<P extends Principal> {
  /** Tokens that are accepted; read at each request. */
  readonly tokens: () => readonly TokenAccess<P>[];
  /** Who comes without a token; `undefined` when nobody may. */
  readonly anonymous: P | undefined;
  /** Names in `Host`, beside the loopback ones, without port. */
  readonly hosts?: readonly string[];
  /** Origins that may call, beside loopback ones: `https://example.com`. A request without Origin is no browser's. */
  readonly origins?: readonly string[];
}

/** Whose the request is, or why it is refused, as an HTTP response. */
export type GuardVerdict<P extends Principal> =
  | {
      readonly ok: true;
      readonly principal: P;
      /** What this request may not do after all, by its body. */
      refuses?(body: unknown): Refused | undefined;
    }
  | ({ readonly ok: false } & Refused);

/** Why a request may not come in. */
export interface Refused {
  readonly status: 401 | 403 | 503;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Whether a request may come in: `Host` and `Origin` name this machine (a page that rebinds DNS names another), and the
 * token is one of ours. VS Code and other programs send no `Origin`, and pass.
 */
export function createGuard<P extends Principal>(
  options: GuardOptions<P>,
): (headers: IncomingHttpHeaders) => GuardVerdict<P> {
  const hosts = new Set(options.hosts?.map((host) => host.toLowerCase()));
  const origins = new Set(options.origins?.map((origin) => origin.toLowerCase()));

  const origin = (value: string) => {
    if (origins.has(value.toLowerCase())) return true;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && isLoopback(url.hostname);
  };

  const served = (host = '') => {
    const name = hostnameOf(host) ?? '';
    return isLoopback(name) || hosts.has(name);
  };

  return (headers) => {
    if (!served(headers.host)) {
      return { ok: false, status: 403, message: 'Forbidden: this Host is not served here' };
    }
    if (headers.origin !== undefined && !origin(headers.origin)) {
      return { ok: false, status: 403, message: 'Forbidden: this Origin may not call' };
    }
    const given = bearerOf(headers.authorization);
    let principal = given === undefined ? options.anonymous : undefined;
    if (given !== undefined) {
      // All are compared, so that the time does not tell which one matched.
      for (const access of options.tokens()) if (sameToken(access.token, given)) principal = access.principal;
      // A server without tokens asks for none; clients that send one all the same are let in.
      if (options.anonymous !== undefined) principal ??= options.anonymous;
    }
    if (principal !== undefined) return { ok: true, principal };
    return {
      ok: false,
      status: 401,
      message: 'Unauthorized: send the token of this server as Authorization: Bearer …',
      headers: { 'www-authenticate': given === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    };
  };
}

/** The name in a `Host`, as `URL` writes it: whatever port is forwarded to this one. */
export function hostnameOf(host: string): string | undefined {
  if (!/^[A-Za-z0-9.:[\]_-]+$/.test(host)) return undefined;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
