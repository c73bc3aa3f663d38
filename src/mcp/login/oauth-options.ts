import { isLoopback } from '../../core/page/page-address.ts';

/** An authorization server whose tokens are let in, and what for. */
export interface OAuthOptions {
  /** The authorization server, by its issuer: `https:`, or a loopback address. */
  readonly issuer: string;
  /** This server as its clients know it, such as `https://tools.example.com/mcp`: tokens have to be made out for it. */
  readonly resource: string;
  /** Scopes that every request needs; none by default. */
  readonly scopes?: readonly string[];
  /** Scopes that a call of a tool needs beside those, by the tool's name. */
  readonly toolScopes?: Readonly<Record<string, readonly string[]>>;
  /** The server's name, for people. */
  readonly resourceName?: string;
  /** What the issuer writes into `typ` of its access tokens; `at+jwt` by default (RFC 9068): others it signs may be for logging in or out. */
  readonly tokenType?: string;
}

/** The options with what follows from them. */
export interface CheckedOAuth {
  readonly issuer: string;
  readonly resource: string;
  readonly resourceName: string | undefined;
  readonly scopes: readonly string[];
  readonly toolScopes: ReadonlyMap<string, readonly string[]>;
  readonly tokenType: string;
}

/** Whether two names are of one authorization server: some say theirs with a slash at the end, and are named without it. */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

/** @throws `TypeError` for what no client and no authorization server could use */
export function checkOAuth({
  issuer,
  resource,
  resourceName,
  scopes = [],
  toolScopes = {},
  tokenType = 'at+jwt',
}: OAuthOptions): CheckedOAuth {
  for (const [name, address] of Object.entries({ issuer, resource })) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (!url || !isSafe || url.hash !== '' || url.username !== '' || url.password !== '') {
      throw new TypeError(`the ${name} is an https address without fragment or user, not '${address}'`);
    }
  }
  const byTool = new Map(Object.entries(toolScopes));
  for (const scope of [...scopes, ...[...byTool.values()].flat()]) {
    if (!SCOPE.test(scope))
      throw new TypeError(`a scope has no spaces, quotes or backslashes, unlike '${scope}'`);
  }
  return { issuer, resource, resourceName, scopes, toolScopes: byTool, tokenType };
}
